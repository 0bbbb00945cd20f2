//! The texts of a digest: the decisions that still hold, and the parts of each session that fit its share of the
//! budget.

use super::digest::{Decision, Digest, SessionDigest};
use crate::model::{MessageId, SessionId, Timestamp, Trust, sorted};
use crate::text::{self, Statement};

/// The most characters of a topic, and the most topics per session.
const TOPIC: (usize, usize) = (160, 8);

/// The most later statements that a decision is compared with, and the most pairs compared word by word.
const LATER: usize = 400;
const COMPARED: usize = 256;

/// A message, or a summary of some.
pub(super) struct Piece {
    /// The place of the first message.
    pub(in crate::memory) place: u64,
    /// The time of the last message.
    pub(in crate::memory) at: Timestamp,
    /// The message id, if it is one message.
    pub(in crate::memory) id: Option<MessageId>,
    /// Whether a user wrote it.
    pub(in crate::memory) own: bool,
    /// Its text.
    pub(in crate::memory) text: String,
    /// The lowest trust of its messages.
    pub(in crate::memory) trust: Trust,
}

/// The material for the digest of a session.
pub(super) struct Material {
    pub(in crate::memory) session: SessionId,
    pub(in crate::memory) title: Option<String>,
    pub(in crate::memory) from: Timestamp,
    pub(in crate::memory) to: Timestamp,
    pub(in crate::memory) messages: usize,
    /// The app's own summary.
    pub(in crate::memory) given: Option<String>,
    /// The pieces, in order.
    pub(in crate::memory) pieces: Vec<Piece>,
    /// The lowest trust of all of it.
    pub(in crate::memory) trust: Trust,
}

impl Material {
    /// The stored summaries: the app's own, or those that replace messages.
    fn summary(&self) -> Option<String> {
        let told: Vec<&str> =
            self.pieces.iter().filter(|piece| piece.id.is_none()).map(|piece| piece.text.as_str()).collect();
        self.given.clone().or_else(|| (!told.is_empty()).then(|| told.join("\n")))
    }

    /// The topics that users raised, without sentences that are decisions already and without questions for an
    /// overview.
    fn raised(&self, decisions: &[Decision]) -> Vec<String> {
        let said = |own: bool| self.pieces.iter().filter(move |piece| piece.id.is_some() && (piece.own || !own));
        let texts = |own: bool| -> Vec<String> {
            let told = |piece: &Piece| {
                let of = decisions.iter().filter(|decision| decision.id == piece.id);
                of.fold(piece.text.clone(), |text, decision| text.replacen(&decision.text, "", 1))
            };
            let texts = said(own).filter(|piece| !text::asks_for_overview(&piece.text)).map(told);
            texts.filter(|text| !text.trim().is_empty()).collect()
        };
        if said(true).next().is_some() { texts(true) } else { texts(false) }
    }
}

/// The digest of sessions, which are given newest first.
pub(super) fn settle(
    material: Vec<Material>,
    max_tokens: u32,
    count: &dyn Fn(&str) -> u32,
    decompose: &dyn Fn(&str) -> String,
) -> Digest {
    let mut decided = standing(&material, decompose).into_iter();
    let mut digest = Digest::default();
    let mut unsettled = material.len() as u32;
    let heading = count(&Digest { left: material.len(), ..Digest::default() }.told());
    for session in material {
        let decisions = decided.next().unwrap_or_default();
        let used = digest.tokens.max(heading);
        let room = max_tokens.saturating_sub(used) / unsettled.max(1);
        let mut told = fitted(&session, decisions, room, count);
        // The parts need not add up to the whole, so the token counter decides.
        loop {
            digest.sessions.insert(0, told);
            unsettled -= 1;
            digest.left = unsettled as usize;
            digest.tokens = count(&digest.told());
            if digest.tokens <= max_tokens {
                break;
            }
            told = digest.sessions.remove(0);
            unsettled += 1;
            if !shorten(&mut told) {
                digest.left = unsettled as usize;
                digest.tokens = if digest.sessions.is_empty() { 0 } else { count(&digest.told()) };
                return digest;
            }
        }
    }
    digest
}

/// The decisions of each session that no later statement replaces.
fn standing(material: &[Material], decompose: &dyn Fn(&str) -> String) -> Vec<Vec<Decision>> {
    let mut all: Vec<(usize, &Piece, Statement<'_>)> = Vec::new();
    for (at, session) in material.iter().enumerate() {
        for piece in &session.pieces {
            all.extend(text::statements(&piece.text).into_iter().map(|statement| (at, piece, statement)));
        }
    }
    let order = sorted(all.len(), &|one, other| all[one].1.at.cmp(&all[other].1.at));
    // The correction of a decision is a decision, whatever its words.
    let mut compared = COMPARED;
    let mut stands: Vec<bool> = all.iter().map(|(.., statement)| statement.decides).collect();
    for (rank, at) in order.iter().enumerate() {
        if !stands[*at] {
            continue;
        }
        let old = &all[*at].2;
        let mut later = order.iter().skip(rank + 1).take(LATER);
        let next = later.find(|next| {
            let new = &all[**next].2;
            text::corrects(old, new) || text::repeats(old, new, &mut compared, decompose)
        });
        if let Some(next) = next {
            stands[*at] = false;
            stands[*next] = true;
        }
    }
    let mut decisions: Vec<Vec<Decision>> = material.iter().map(|_| Vec::new()).collect();
    for at in order.into_iter().filter(|at| stands[*at]) {
        let (session, piece, statement) = &all[at];
        let decision = Decision { text: statement.text.to_owned(), at: piece.at, id: piece.id.clone() };
        decisions[*session].push(decision);
    }
    decisions
}

/// The parts of a session that fit into about so many tokens: decisions, then summaries, then topics.
fn fitted(session: &Material, mut decisions: Vec<Decision>, room: u32, count: &dyn Fn(&str) -> u32) -> SessionDigest {
    let mut told = SessionDigest {
        session: session.session.clone(),
        title: session.title.clone(),
        from: session.from,
        to: session.to,
        messages: session.messages,
        topics: Vec::new(),
        decisions: Vec::new(),
        summary: None,
        trust: session.trust,
    };
    let raised = session.raised(&decisions);
    let summary = session.summary();
    // If there is more than decisions, they get half of the room, the latest first.
    let others = summary.is_some() || !raised.is_empty();
    let mut rest = room.saturating_sub(count(&told.told()));
    let mut most = if others { rest / 2 } else { rest };
    while let Some(decision) = decisions.pop() {
        let cost = count(&decision.told());
        // At least one decision, whatever it costs: the last is worth more than any topic.
        if cost > most && !(told.decisions.is_empty() && cost <= rest) {
            break;
        }
        most = most.saturating_sub(cost);
        rest = rest.saturating_sub(cost);
        told.decisions.insert(0, decision);
    }
    if let Some(summary) = summary {
        let most = if raised.is_empty() { rest } else { rest / 3 * 2 };
        let lines: Vec<&str> = summary.lines().collect();
        let short = if count(&summary) <= most { summary.clone() } else { text::extract(&lines, most, count) };
        rest = rest.saturating_sub(count(&short));
        told.summary = Some(short).filter(|short| !short.trim().is_empty());
    }
    let texts: Vec<&str> = raised.iter().map(String::as_str).collect();
    let lines = text::extract(&texts, rest, count);
    let lines = lines.lines().filter(|line| !line.trim().is_empty()).take(TOPIC.1);
    told.topics = lines.map(|line| text::summarize(line, TOPIC.0)).collect();
    told
}

/// Removes the least important part. Returns whether there was one.
fn shorten(told: &mut SessionDigest) -> bool {
    if told.topics.pop().is_some() || told.summary.take().is_some() {
        return true;
    }
    let some = !told.decisions.is_empty();
    told.decisions.drain(..usize::from(some));
    some
}

impl Digest {
    /// The lowest trust of its sessions.
    pub fn trust(&self) -> Trust {
        self.sessions.iter().map(|session| session.trust).min().unwrap_or_default()
    }

    /// The digest as lines, oldest session first.
    pub fn told(&self) -> String {
        let mut lines = vec!["What earlier conversations were about, oldest first.".to_owned()];
        if self.left > 0 {
            lines.push(format!("({} older conversations are left out.)", self.left));
        }
        lines.extend(self.sessions.iter().map(SessionDigest::told));
        lines.join("\n")
    }
}

impl SessionDigest {
    fn told(&self) -> String {
        let (from, to) = (date(self.from), date(self.to));
        let time = if from == to { from } else { format!("{from} to {to}") };
        let title = self.title.as_ref().map(|title| format!(", \"{title}\"")).unwrap_or_default();
        let mut lines = vec![format!("{time}, session {}{title}, {} messages:", self.session, self.messages)];
        lines.extend(self.summary.iter().map(|summary| format!("- Summary: {summary}")));
        lines.extend(self.topics.iter().map(|topic| format!("- Topic: {topic}")));
        lines.extend(self.decisions.iter().map(Decision::told));
        lines.join("\n")
    }
}

impl Decision {
    fn told(&self) -> String {
        format!("- Decided on {}: {}", date(self.at), self.text)
    }
}

/// The date of a timestamp.
fn date(at: Timestamp) -> String {
    text::cut(&at.to_string(), 10).to_owned()
}
