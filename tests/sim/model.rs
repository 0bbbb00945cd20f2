//! The oracle: what was called, when it began and ended, and whether it was acknowledged; and what may be read after that.
//!
//! Each thing is a register. A read may give the value of any write that began before the read ended, unless another write
//! that began after that one was acknowledged, was itself acknowledged before the read began. A write whose outcome nobody
//! knows may take effect at any time after it began, or never.

mod loss;

use super::calls::{Call, FILES, LOG, LONG, PAIRS, SESSIONS, SHORT, Thing, What};
use super::plan::Plan;
use super::verbs::READS;
use keepsake::model::Json;
use keepsake::{Error, ErrorCode};
use std::collections::{BTreeMap, BTreeSet};

/// A value: the token of the call that wrote it; nothing where there is nothing.
pub(crate) type Value = Option<u64>;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Outcome {
    Acknowledged(usize),
    Unknown,
}

#[derive(Clone, Debug)]
struct Write {
    token: u64,
    value: Value,
    began: usize,
    outcome: Outcome,
    /// Whether it has taken effect if its call is acknowledged.
    sure: bool,
    /// Whether it needs the thing not to be there.
    adds: bool,
}

impl Write {
    fn ended(&self) -> usize {
        if let Outcome::Acknowledged(at) = self.outcome { at } else { usize::MAX }
    }
}

#[derive(Clone, Debug)]
struct Append {
    token: u64,
    tokens: Vec<String>,
    began: usize,
    outcome: Outcome,
}

/// A call that deletes a session, and when it can have taken effect. A program that dies sends no more, and a request of its own
/// that lands late is refused if another commit came before it.
#[derive(Debug)]
struct Deletion {
    token: u64,
    session: &'static str,
    ended: usize,
}

#[derive(Debug, Default)]
pub(crate) struct Model {
    registers: BTreeMap<Thing, Vec<Write>>,
    sessions: BTreeMap<Thing, Vec<Append>>,
    deletions: Vec<Deletion>,
    /// Calls that have begun and not ended.
    under_way: BTreeSet<u64>,
    /// Calls that were under way when the storage was emptied: nobody knows on which side of that they were.
    doubtful: BTreeSet<u64>,
    /// The step in which the storage was emptied.
    emptied: Option<usize>,
    /// All that was acknowledged up to this step was handed to the disk.
    flushed: usize,
    capped: bool,
    hints: bool,
    former: bool,
}

/// A run reads one in so many of the verbs without a model in the end: all of them in each would take longer than the run.
const TURNS: u64 = 6;

/// How a call ended.
pub(crate) enum End<'a> {
    Answer(&'a Json),
    Error(&'a Error),
    /// The program ended before it did.
    Lost,
}

/// The first mark in a text, as `w12` or `w12.0`.
fn mark(text: &str) -> Option<&str> {
    let marks = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '.'));
    let is_mark =
        |word: &&str| word.strip_prefix('w').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    marks.into_iter().find(is_mark)
}

/// The token of the call that wrote a text.
fn token(text: &str) -> Value {
    mark(text)?.strip_prefix('w')?.split('.').next()?.parse().ok()
}

impl Model {
    pub(crate) fn new(plan: &Plan) -> Self {
        Self { capped: plan.capped, hints: plan.hints(), former: plan.former, ..Self::default() }
    }

    /// Takes note of a call that begins: from now on it may take effect.
    pub(crate) fn begins(&mut self, call: &Call, began: usize) {
        let token = call.token;
        self.under_way.insert(token);
        let appended = match call.what {
            What::Append { session, count } => Some((session, count)),
            What::AppendToFile => Some((LOG, 1)),
            _ => None,
        };
        if let Some((place, count)) = appended {
            let tokens = (0..count).map(|n| format!("w{token}.{n}")).collect();
            let append = Append { token, tokens, began, outcome: Outcome::Unknown };
            self.sessions.entry(place.to_owned()).or_default().push(append);
        }
        if let What::DeleteSession(session) = call.what {
            self.deletions.push(Deletion { token, session, ended: usize::MAX });
        }
        self.erase(call);
        for (thing, value, sure) in self.writes_of(call) {
            let adds = matches!(call.what, What::Add { .. }) && value.is_some();
            let write = Write { token, value, began, outcome: Outcome::Unknown, sure, adds };
            self.registers.entry(thing).or_default().push(write);
        }
    }

    /// The things that a call writes, what it writes there, and whether it is sure to if it is acknowledged.
    fn writes_of(&self, call: &Call) -> Vec<(Thing, Value, bool)> {
        let value = Some(call.token);
        match &call.what {
            What::Add { id, expires } => {
                let mut writes = vec![(format!("entry {id}"), value, true)];
                if *expires {
                    writes.push((format!("entry {id}"), None, false));
                }
                if self.capped && SHORT.contains(id) {
                    writes.extend(SHORT.map(|other| (format!("entry {other}"), None, false)));
                }
                writes
            }
            What::Update(id) => vec![(format!("entry {id}"), value, true)],
            What::Delete(id) => vec![(format!("entry {id}"), None, true)],
            What::ClearAll => LONG.into_iter().chain(SHORT).map(|id| (format!("entry {id}"), None, true)).collect(),
            What::ClearShortTerm => SHORT.map(|id| (format!("entry {id}"), None, true)).to_vec(),
            What::SetPair(key) | What::DeletePair(key) => {
                let value = value.filter(|_| matches!(call.what, What::SetPair(_)));
                ["left", "right"].map(|side| (format!("value {key}.{side}"), value, true)).to_vec()
            }
            What::WriteFile(path) => vec![(format!("file {path}"), value, true)],
            What::DeleteFile(path) => vec![(format!("file {path}"), None, true)],
            What::SaveState => vec![("state".to_owned(), value, true)],
            What::UpdateProfile => vec![("profile".to_owned(), value, true)],
            _ => Vec::new(),
        }
    }

    /// All that was said in a session may be gone once somebody has begun to delete it.
    fn erase(&mut self, call: &Call) {
        if let What::DeleteSession(session) = call.what {
            let said = self.sessions.get_mut(session).into_iter().flatten();
            said.for_each(|append| append.outcome = Outcome::Unknown);
            // So may be the state, which belongs to a session.
            let state = self.registers.get_mut("state").into_iter().flatten().filter(|_| session == "s0");
            state.for_each(|write| write.outcome = Outcome::Unknown);
            if session == "s0" {
                let gone = Write {
                    token: call.token,
                    value: None,
                    began: 0,
                    outcome: Outcome::Unknown,
                    sure: false,
                    adds: false,
                };
                self.registers.entry("state".to_owned()).or_default().push(gone);
            }
        }
    }

    /// Takes note of a call that ended, and checks what it read.
    pub(crate) fn ended(&mut self, call: &Call, began: usize, now: usize, end: &End<'_>) -> Result<(), String> {
        let token = call.token;
        self.under_way.remove(&token);
        if matches!(end, End::Answer(_)) {
            self.erase(call);
        }
        // What was written beside a deletion may have come before it, whichever was acknowledged first.
        let deleted: Vec<&str> =
            self.deletions.iter().filter(|it| it.ended > began && it.token != token).map(|it| it.session).collect();
        for deletion in self.deletions.iter_mut().filter(|it| it.token == token) {
            deletion.ended = now;
        }
        let error = match end {
            End::Answer(Json::Bool(false)) => {
                self.forget(token);
                return Ok(());
            }
            // The documented functions answer that they failed.
            End::Answer(answer) if *answer.get("success") == Json::Bool(false) => return Ok(()),
            End::Answer(_) if self.doubtful.contains(&token) => return Ok(()),
            End::Answer(answer) => {
                let things = self.registers.iter_mut().filter(|(name, _)| *name != "state" || !deleted.contains(&"s0"));
                let writes = things.flat_map(|(_, writes)| writes).filter(|write| write.token == token && write.sure);
                writes.for_each(|write| write.outcome = Outcome::Acknowledged(now));
                let kept = self.sessions.iter_mut().filter(|(session, _)| !deleted.contains(&session.as_str()));
                let appends = kept.flat_map(|(_, appends)| appends).filter(|append| append.token == token);
                appends.for_each(|append| append.outcome = Outcome::Acknowledged(now));
                if call.what == What::Flush {
                    self.flushed = self.flushed.max(began);
                }
                return self.check(call, answer, began, now);
            }
            End::Lost => return Ok(()),
            End::Error(error) => error,
        };
        match error.code() {
            // It may have been written.
            ErrorCode::StorageFailed => {}
            ErrorCode::StoreLost if self.emptied.is_some() => {}
            ErrorCode::Superseded if self.former => {}
            // Nothing was written, and they say so.
            ErrorCode::QuotaExceeded | ErrorCode::Unavailable | ErrorCode::AlreadyExists | ErrorCode::NotFound => {
                self.forget(token);
            }
            _ => return Err(format!("w{token} {:?} failed: {error}", call.what)),
        }
        Ok(())
    }

    /// A call has written nothing.
    fn forget(&mut self, token: u64) {
        self.registers.values_mut().for_each(|writes| writes.retain(|write| write.token != token));
        self.sessions.values_mut().for_each(|appends| appends.retain(|append| append.token != token));
    }

    /// Checks what a call read that began and ended then.
    pub(crate) fn check(&self, call: &Call, answer: &Json, began: usize, now: usize) -> Result<(), String> {
        let said = |found: Result<(), String>| found.map_err(|why| format!("w{} {:?}: {why}", call.token, call.what));
        let text = |value: &Json, name: &str| value.get(name).as_str().and_then(token);
        match &call.what {
            What::Get(id) => said(self.allows(&format!("entry {id}"), text(answer, "content"), began, now)),
            What::ReadFile(path) => said(self.allows(&format!("file {path}"), text(answer, "text"), began, now)),
            What::GetState => said(self.allows("state", token(&answer.to_string()), began, now)),
            What::GetProfile => said(self.allows("profile", token(&answer.to_string()), began, now)),
            What::List => said(self.check_listed(answer, began, now)),
            // With hints, a search may be late.
            What::Search if !self.hints => said(self.check_listed(answer, began, now)),
            What::ListValues => said(self.check_pairs(answer, began, now)),
            What::Messages(session) => {
                let items = answer.get("messages").as_array().unwrap_or(&[]);
                let words =
                    items.iter().map(|item| mark(&item.get("content").to_string()).unwrap_or_default().to_owned());
                said(self.check_appended(session, &words.collect::<Vec<_>>(), began))
            }
            What::ReadLog => {
                let text = answer.get("text").as_str().unwrap_or_default();
                said(self.check_appended(LOG, &text.split_whitespace().map(str::to_owned).collect::<Vec<_>>(), began))
            }
            What::LogVerify | What::Verify if *answer.get("ok") != Json::Bool(true) => {
                said(Err(format!("what is stored does not hold: {answer}")))
            }
            _ => Ok(()),
        }
    }

    /// Whether a read of a thing that began and ended then may give this.
    fn allows(&self, thing: &str, value: Value, began: usize, ended: usize) -> Result<(), String> {
        let none = Vec::new();
        let writes = self.registers.get(thing).unwrap_or(&none);
        let is_late = |after: usize| {
            let newer = |write: &&Write| write.began > after && write.ended() < began;
            writes.iter().any(|write| newer(&write))
        };
        // Nothing was there in the beginning.
        let first = value.is_none() && !writes.iter().any(|write| write.ended() < began);
        let by = |write: &&Write| write.value == value && write.began < ended && !is_late(write.ended());
        if first || writes.iter().any(|write| by(&write)) {
            return Ok(());
        }
        Err(format!("{thing} must not be {value:?} from {began} to {ended}; it was written so: {writes:?}"))
    }

    /// Listed and found entries show their summaries, which begin as their contents do.
    fn check_listed(&self, answer: &Json, began: usize, now: usize) -> Result<(), String> {
        let items = answer.as_array().unwrap_or(&[]);
        let mut seen = BTreeSet::new();
        for item in items {
            let id = item.get("id").as_str().unwrap_or_default();
            if !seen.insert(id) {
                return Err(format!("entry {id} is there twice"));
            }
            // Documents are entries too.
            if !LONG.contains(&id) && !SHORT.contains(&id) {
                continue;
            }
            self.allows(&format!("entry {id}"), item.get("summary").as_str().and_then(token), began, now)?;
        }
        for id in LONG.into_iter().chain(SHORT).filter(|id| !seen.contains(id)) {
            self.allows(&format!("entry {id}"), None, began, now)?;
        }
        Ok(())
    }

    fn check_pairs(&self, answer: &Json, began: usize, now: usize) -> Result<(), String> {
        let items = answer.as_array().unwrap_or(&[]);
        let value = |key: String| {
            let item = items.iter().find(|item| item.as_array().is_some_and(|item| item[0].as_str() == Some(&key)));
            (key, item.and_then(|item| token(item.as_array()?.get(1)?.as_str()?)))
        };
        for key in PAIRS {
            let [left, right] = ["left", "right"].map(|side| value(format!("{key}.{side}")));
            if left.1 != right.1 {
                return Err(format!("half of a change was seen: {left:?}, {right:?}"));
            }
            self.allows(&format!("value {}", left.0), left.1, began, now)?;
        }
        Ok(())
    }

    /// Appended messages are there once, together, in their order.
    fn check_appended(&self, session: &str, said: &[String], began: usize) -> Result<(), String> {
        let place = |token: &str| said.iter().position(|word| word == token);
        let none = Vec::new();
        let appends = self.sessions.get(session).unwrap_or(&none);
        let known = appends.iter().map(|append| append.tokens.len()).sum::<usize>();
        for append in appends {
            let places: Vec<Option<usize>> = append.tokens.iter().map(|token| place(token)).collect();
            let there = places.iter().flatten().count();
            if there > 0 && (there < places.len() || !places.windows(2).all(|pair| pair[1] == pair[0].map(|at| at + 1)))
            {
                return Err(format!("{:?} of {session} are not together in {said:?}", append.tokens));
            }
            if there == 0 && matches!(append.outcome, Outcome::Acknowledged(at) if at < began) {
                return Err(format!("{:?} of {session} is lost from {said:?}", append.tokens));
            }
            for later in appends {
                let ended = matches!(append.outcome, Outcome::Acknowledged(at) if at < later.began);
                if ended && place(&later.tokens[0]).is_some_and(|at| Some(at) < places[0]) {
                    return Err(format!("{:?} comes before {:?} in {said:?}", later.tokens, append.tokens));
                }
            }
        }
        let unique: BTreeSet<&String> = said.iter().collect();
        if unique.len() != said.len() || said.len() > known {
            return Err(format!("{session} has something twice, or something that nobody said: {said:?}"));
        }
        Ok(())
    }

    /// Two acknowledged additions of one id need something between them that may have taken it away.
    pub(crate) fn check_additions(&self) -> Result<(), String> {
        for (thing, writes) in &self.registers {
            let added = |write: &&Write| write.adds && matches!(write.outcome, Outcome::Acknowledged(_));
            let mut additions: Vec<&Write> = writes.iter().filter(added).collect();
            additions.sort_by_key(|write| write.ended());
            for pair in additions.windows(2) {
                // A program may be frozen between its commit and the answer, so the first one may be answered last.
                let in_order = |first: &Write, second: &Write| {
                    let between = |write: &Write| {
                        write.value.is_none() && write.began < second.ended() && write.ended() > first.began
                    };
                    first.began < second.ended() && writes.iter().any(between)
                };
                if !in_order(pair[0], pair[1]) && !in_order(pair[1], pair[0]) {
                    return Err(format!("{thing} was added twice: {:?}, {:?}", pair[0].value, pair[1].value));
                }
            }
        }
        Ok(())
    }

    /// The final reading of everything; of the verbs without a model, those whose turn it is.
    pub(crate) fn last_reads(turn: u64) -> Vec<Call> {
        let mut reads =
            vec![What::List, What::Search, What::ListValues, What::GetState, What::GetProfile, What::LogVerify];
        // Beside writers, a check may take a change for damage.
        reads.push(What::Verify);
        reads.extend(LONG.into_iter().chain(SHORT).map(What::Get));
        reads.extend(FILES.map(What::ReadFile));
        reads.extend(SESSIONS.map(What::Messages));
        reads.push(What::ReadLog);
        let others = READS.iter().skip((turn % TURNS) as usize).step_by(TURNS as usize);
        reads.extend(others.map(|(verb, args)| What::Other(verb, args)));
        reads.into_iter().map(|what| Call { token: 0, what }).collect()
    }
}
