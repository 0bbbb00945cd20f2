//! Embeddings of messages and histories. A message is immutable, so its vector is stored beside it, with a link of its
//! own in the log.

use crate::codec::{Beside, Kind, StoredMessage, Vector};
use crate::index::DocKind;
use crate::memory::engine::keys::Named;
use crate::memory::engine::plan::Plan;
use crate::memory::engine::talk::read_history;
use crate::memory::engine::traffic::indexed_text;
use crate::memory::engine::{Env, Error, Memory};
use crate::model::{Embedding, Invalid, Message, Role, SessionId};
use crate::store::{Durability, Key, Space, Store};
use crate::text;

/// The embedded kinds, without the memory's own tool traffic.
const TALK: [DocKind; 2] = [DocKind::Message, DocKind::History];

/// The number of characters of a message that are embedded: about the input limit of models.
const MOST_CHARS: usize = 8000;

/// The number of messages in which the user's last one is searched.
const LAST: u64 = 30;

/// A message or a history without an embedding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnembeddedTalk {
    /// Its kind.
    pub kind: DocKind,
    /// Its id in the index, which `embed_talk` takes.
    pub id: String,
    /// The text to embed.
    pub text: String,
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Up to `limit` messages and histories without an embedding, newest first, and their total number.
    pub async fn unembedded_talk(&self, limit: usize) -> Result<(Vec<UnembeddedTalk>, usize), Error> {
        self.refresh().await?;
        self.load_shelf().await?;
        let now = self.now()?;
        let (found, all) = self.with_shelf(|shelf| {
            let lacking = || shelf.index.without_vector(now, &TALK);
            let found = lacking().rev().take(limit).map(|found| (found.kind, found.id.to_owned()));
            (found.collect::<Vec<_>>(), lacking().count())
        });
        let named = found.into_iter().filter_map(|(kind, id)| Some((Named::of_doc(kind, &id)?, kind, id)));
        let named: Vec<_> = named.collect();
        let keys: Vec<Key> = named.iter().map(|(named, ..)| self.inner.keys.named(named)).collect();
        let mut items = Vec::with_capacity(keys.len());
        for ((named, kind, id), bytes) in named.into_iter().zip(self.fetch(Space::Records, &keys).await?) {
            let Some(bytes) = bytes else { continue };
            let said = match &named {
                Named::Message(session, place) => {
                    let message = StoredMessage::decode(&bytes)?.message;
                    indexed_text(&message, &self.own_answers(session, *place, &message).await?).1
                }
                _ => read_history(&Beside::decode(Kind::History, &bytes)?).map_or_else(String::new, |told| told.text),
            };
            items.push(UnembeddedTalk { kind, id, text: text::cut(&said, MOST_CHARS).to_owned() });
        }
        Ok((items, all))
    }

    /// Stores the embeddings of messages and histories, all at once. Deleted ones are skipped. Returns the number
    /// stored.
    pub async fn embed_talk(&self, embeddings: &[(DocKind, String, Embedding)]) -> Result<usize, Error> {
        if embeddings.is_empty() {
            return Ok(0);
        }
        self.write(Durability::Relaxed, async |plan: &mut Plan| {
            self.load_shelf().await?;
            let mut count = 0;
            for (kind, id, embedding) in embeddings {
                let vector = self.vector(Some(embedding))?.unwrap_or_default();
                let talk = Named::of_doc(*kind, id);
                let Some((named, beside)) = talk.and_then(|named| Some((named.clone(), named.vector()?))) else {
                    return Err(Invalid::value("id", "must be the id of a message or a history").into());
                };
                let key = self.inner.keys.named(&named);
                let Some(bytes) = self.fetch_one(Space::Records, key.clone()).await? else { continue };
                let Some(leaf) = self.leaf_of_talk(&key, &bytes, &vector).await?.and_then(|change| change.leaf) else {
                    continue;
                };
                plan.touch(leaf.seq);
                plan.put_vector(&beside, Vector::encode(&vector, self.entropy()?), leaf);
                count += 1;
            }
            Ok(count)
        })
        .await
    }

    /// The text of the user's last visible message, which the next prompt is about; `None` if it is not among the last
    /// `LAST`.
    pub async fn last_asked(&self, session: &SessionId) -> Result<Option<String>, Error> {
        let window = self.messages(session, LAST, None).await?;
        let hidden = self.hidden(session).await?;
        let asks = |message: &&Message| {
            message.role == Role::User && message.answers().next().is_none() && !hidden.contains(&message.id)
        };
        Ok(window.messages.iter().rev().find(asks).map(Message::text))
    }
}
