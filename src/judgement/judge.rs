//! Selects the parts of a message to keep: its sentences are classified, and statements become facts.

use super::attribute::{Attribute, Attributes};
use super::classify::{Kind, Reason, Sentence, ends_asking};
use super::content::is_numeric;
use super::fact::{Fact, Traits};
use super::fold::{any, has_of, is_of, seek, tail, words};
use super::lang::Lang;
use super::owner::{is_capital, is_of_user};
use super::pack::Pack;
use super::packs::{Packs, Seen};
use super::secrets::{Secret, redact, secrets, unmarked};
use super::sentence::{clauses, own_words, sentences};

/// A message of at most this many sentences is kept whole, if all of them are the speaker's statements.
const WHOLE: usize = 3;

/// The maximum number of sentences of a message that are classified.
const MOST: usize = 200;

/// The classified parts of a message.
#[derive(Clone, Debug, Default)]
pub struct Judged {
    /// Its language, if it is one of those with a pack.
    pub lang: Option<Lang>,
    /// The pack that is not loaded: without it the message was judged by its shape alone.
    pub missing: Option<Lang>,
    /// Statements to keep. Secrets in them are replaced.
    pub facts: Vec<Fact>,
    /// Standing instructions to keep.
    pub instructions: Vec<Fact>,
    /// Requests to forget: facts that share a stem with one of them are meant.
    pub forget: Vec<Fact>,
    /// Secrets, by their places in the message as it was given.
    pub secrets: Vec<Secret>,
    /// Changes of a thing that the message does not introduce: to keep if they replace a statement.
    pub changes: Vec<Fact>,
    /// Sentences that are not kept, and why.
    pub dropped: Vec<(String, Reason)>,
}

/// Judges messages with the packs that are loaded.
#[derive(Clone, Copy)]
pub struct Judge<'a> {
    packs: &'a Packs,
    decompose: &'a dyn Fn(&str) -> String,
    /// A text that was looked at before.
    seen: Option<(&'a str, &'a Seen<'a>)>,
}

/// A sentence that was read.
struct Part<'t> {
    text: &'t str,
    kind: Kind,
    traits: Traits,
    tells_change: bool,
}

impl<'a> Judge<'a> {
    /// A judge. `decompose` gives a text in NFKD.
    pub fn new(packs: &'a Packs, decompose: &'a dyn Fn(&str) -> String) -> Self {
        Self { packs, decompose, seen: None }
    }

    /// The same judge for a text that was looked at.
    pub(crate) fn of(&self, text: &'a str, seen: &'a Seen<'a>) -> Self {
        Self { seen: Some((text, seen)), ..*self }
    }

    /// Judges a message. `prior` is the language of the message before it.
    pub fn judge(&self, message: &str, prior: Option<Lang>) -> Judged {
        let secrets = self.secrets(message);
        let text = own_words(&redact(message, &secrets));
        let lang = self.language(&text, prior);
        let pack = self.pack(lang);
        let missing = if pack.is_none() { lang } else { None };
        let mut judged = Judged { lang, missing, secrets, ..Judged::default() };
        let mut parts = self.parts(&text, pack);
        settle(&mut parts);
        if let Some((kind, traits)) = together(&parts) {
            self.keep(text.trim(), kind, traits, pack, &mut judged);
            return judged;
        }
        let mut material = false;
        for part in &parts {
            let reason = match part.kind {
                _ if material => Reason::Material,
                Kind::Dropped(reason) => reason,
                kind => {
                    self.keep(part.text, kind, part.traits, pack, &mut judged);
                    continue;
                }
            };
            if matches!(reason, Reason::Question | Reason::Request) {
                self.keep_clauses(part.text, pack, &mut judged);
                material = reason == Reason::Request && brings_material(part.text);
            }
            let unclear = matches!(reason, Reason::Passing | Reason::Other | Reason::Nothing | Reason::SmallTalk);
            if unclear && part.tells_change {
                judged.changes.push(Fact::new(part.text, &(self.decompose)(part.text), part.traits, pack));
            }
            judged.dropped.push((part.text.to_owned(), reason));
        }
        judged
    }

    /// The fact of a text that is kept whatever it says: an entry that an app adds.
    pub fn describe(&self, text: &str, prior: Option<Lang>) -> Fact {
        let pack = self.pack(self.language(text, prior));
        let mut traits = Traits::NONE;
        for (number, part) in self.parts(text, pack).iter().enumerate() {
            if number == 0 || !matches!(part.kind, Kind::Dropped(Reason::Question | Reason::Quotation)) {
                traits = traits.and(part.traits);
            }
        }
        traits.owned |= is_of_user(text);
        Fact::new(text, &(self.decompose)(text), traits, pack)
    }

    /// The secrets of a text.
    pub fn secrets(&self, text: &str) -> Vec<Secret> {
        secrets(text, self.packs, self.decompose)
    }

    /// The language of a text.
    pub fn language(&self, text: &str, prior: Option<Lang>) -> Option<Lang> {
        match self.seen {
            Some((own, seen)) if own == text => self.packs.language_of(seen, prior),
            _ => self.packs.language(&(self.decompose)(text), prior),
        }
    }

    /// The pack of a language.
    pub(super) fn pack(&self, lang: Option<Lang>) -> Option<&'a Pack> {
        lang.and_then(|lang| self.packs.get(lang))
    }

    /// A text in NFKD.
    pub(super) fn decomposed(&self, text: &str) -> String {
        (self.decompose)(text)
    }

    /// The classified sentences of a text.
    #[inline(never)]
    fn parts<'t>(&self, text: &'t str, pack: Option<&Pack>) -> Vec<Part<'t>> {
        let mut out = Vec::new();
        for text in sentences(text) {
            if out.len() < MOST {
                out.push(self.part(text, pack));
            }
        }
        out
    }

    fn part<'t>(&self, text: &'t str, pack: Option<&Pack>) -> Part<'t> {
        let decomposed = (self.decompose)(&unmarked(text));
        let Some(pack) = pack else {
            return Part { text, kind: by_shape(&decomposed), traits: Traits::NONE, tells_change: false };
        };
        let sentence = Sentence::read(&decomposed, pack);
        let (kind, mut traits) = (sentence.kind(), sentence.traits);
        if matches!(kind, Kind::Fact(_) | Kind::Told(_)) {
            traits.attributes = traits.attributes.without(Attributes::of(&[Attribute::Instruction]));
        }
        Part { text, kind, traits, tells_change: sentence.tells_change() }
    }

    fn keep(&self, text: &str, kind: Kind, traits: Traits, pack: Option<&Pack>, judged: &mut Judged) {
        let fact = Fact::new(text, &(self.decompose)(text), traits, pack);
        match kind {
            Kind::Instruction => judged.instructions.push(fact),
            Kind::Forget => judged.forget.push(fact),
            Kind::Fact(_) | Kind::Told(_) | Kind::Dropped(_) => judged.facts.push(fact),
        }
    }

    /// Of "I'm vegetarian, what can I cook?" the clauses before the question.
    fn keep_clauses(&self, text: &str, pack: Option<&Pack>, judged: &mut Judged) {
        let list = clauses(text);
        for clause in list.iter().take(list.len().saturating_sub(1)) {
            let part = self.part(clause, pack);
            if part.kind != Kind::Fact(true) || !part.traits.names_speaker {
                return;
            }
            self.keep(clause, part.kind, part.traits, pack, judged);
        }
    }
}

/// Decides about statements without an owner. In a short message that asks for nothing they have no other purpose than to
/// be known; beside a question or in a pasted text they are material.
fn settle(parts: &mut [Part<'_>]) {
    let is_other = |part: &Part<'_>| {
        matches!(
            part.kind,
            Kind::Dropped(Reason::Question | Reason::Request | Reason::Quotation | Reason::Hypothetical)
        )
    };
    let states = parts.len() <= WHOLE && !parts.iter().any(is_other);
    for part in parts {
        if let Kind::Told(reason) = part.kind {
            part.kind = if states { Kind::Fact(false) } else { Kind::Dropped(reason) };
        }
    }
}

/// The traits of all sentences, if the message is kept whole: statements with nothing between them but small talk.
fn together(parts: &[Part<'_>]) -> Option<(Kind, Traits)> {
    if parts.len() > WHOLE {
        return None;
    }
    let mut kind = None;
    let mut traits = Traits::NONE;
    let mut stated = 0;
    for part in parts {
        // "Tim changed schools. He's at Hillside now." is one statement.
        let goes_on = traits.changed && traits.attributes.meets(part.traits.attributes);
        stated += usize::from(!part.traits.attributes.is_empty() && !goes_on);
        match part.kind {
            Kind::Fact(_) | Kind::Instruction => {
                let own = if part.kind == Kind::Instruction { Kind::Instruction } else { Kind::Fact(true) };
                if *kind.get_or_insert(own) != own {
                    return None;
                }
            }
            Kind::Dropped(Reason::Passing | Reason::SmallTalk | Reason::Nothing) => {}
            Kind::Dropped(_) | Kind::Told(_) | Kind::Forget => return None,
        }
        traits = traits.and(part.traits);
    }
    // Of two statements one may be replaced later, and the other not.
    if stated > 1 {
        return None;
    }
    Some((kind?, traits))
}

/// Whether a request gives the text to work on: "translate: …".
fn brings_material(text: &str) -> bool {
    let colon = seek(text, &mut |_, c| is_of(c, ":："));
    any(tail(text, colon), &|c| !c.is_whitespace() && !is_of(c, ":："))
}

/// A language without a pack: a statement has four words, and a number or a name.
fn by_shape(decomposed: &str) -> Kind {
    if ends_asking(decomposed) || decomposed.trim().ends_with(';') {
        return Kind::Dropped(Reason::Question);
    }
    let list = words(decomposed);
    let has_name = list.iter().skip(1).any(|word| is_capital(word));
    if list.len() > 3 && (has_name || any(decomposed, &is_numeric)) && !has_of(decomposed, ":\"“") {
        return Kind::Fact(false);
    }
    Kind::Dropped(Reason::Nothing)
}
