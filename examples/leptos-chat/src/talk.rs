//! The conversation: what is said is kept in the browser's IndexedDB, and replies come from what was said before.

use keepsake::types::Recalled;
use keepsake::{Error, IndexedDb, Memory, Message, Role, Session};
use leptos::task::spawn_local;
use std::rc::Rc;

/// A message on the page.
#[derive(Clone)]
pub struct Line {
    pub id: String,
    pub role: &'static str,
    pub text: String,
}

#[derive(Clone)]
pub struct Talk {
    memory: Memory<IndexedDb>,
    chat: Session<IndexedDb>,
    show: Rc<dyn Fn(Vec<Line>)>,
}

impl Talk {
    /// Opens the conversation. `show` gets its messages, now and whenever they change, in this tab or in another.
    pub async fn open(show: impl Fn(Vec<Line>) + 'static) -> Result<Self, Error> {
        let memory = Memory::open(IndexedDb::open("leptos-chat").await?, "me").await?;
        let talk = Self { chat: memory.session("chat"), memory, show: Rc::new(show) };
        let other = talk.clone();
        talk.memory.on_change(move || {
            let talk = other.clone();
            spawn_local(async move {
                // The next change, or the next message, shows them again.
                let _ = talk.show_all().await;
            });
        });
        talk.show_all().await?;
        Ok(talk)
    }

    /// Says something. Returns the prompt that a model would be sent.
    pub async fn say(&self, text: &str) -> Result<String, Error> {
        self.chat.append(Role::User, text).await?;
        let context = self.chat.context().budget(2_000).await?;
        // Here your model replies to `context.prompt` and `context.messages`. This page has none: it repeats what it knows.
        let known = self.memory.query_memory(text).only_answers().limit(5).await?;
        let reply = match known.iter().find(|known| is_new(known, text)) {
            Some(known) => format!("You told me: {}", known.hit.summary),
            None if text.ends_with('?') => "I do not know that yet.".to_owned(),
            None => "I will remember that.".to_owned(),
        };
        self.chat.append(Role::Assistant, reply).await?;
        self.show_all().await?;
        Ok(context.prompt)
    }

    async fn show_all(&self) -> Result<(), Error> {
        let window = self.chat.messages().limit(200).await?;
        (self.show)(window.messages.iter().map(line).collect());
        Ok(())
    }
}

/// Whether the user said it, and not just now.
fn is_new(known: &Recalled, text: &str) -> bool {
    known.hit.speaker.as_deref() == Some("user") && known.hit.summary != text
}

fn line(message: &Message) -> Line {
    let role = if message.role == Role::User { "user" } else { "assistant" };
    Line { id: message.id.to_string(), role, text: message.text() }
}
