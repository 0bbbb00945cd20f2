//! Dialog features that plain documents do not have: neighbouring turns, speakers, dates, kinds of answers.

use super::best::{LONGEST, WHOLE};
use super::doc::{DocKind, NONE, Row};
use super::names;
use super::store::Index;
use super::weights::Weights;
use super::words::Words;
use crate::text::{Date, Question, Traits, Voice, Wants, day_number};
use std::cell::RefCell;

/// The place of an entry among the turns of its session.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The previous turn and the next one, or `NONE`.
    before: u32,
    after: u32,
    /// The share of a word that it gives to its neighbours and takes from them, in units of [`WHOLE`].
    gives: u16,
    takes: u16,
    /// The length normalisation of a turn; 0 for an entry without a speaker.
    pub(super) norm: f64,
}

impl Index {
    /// Inserts a new entry among the turns of its session.
    pub(super) fn join(&mut self, number: u32) {
        let weights = &self.weights;
        let mut place = Place { before: NONE, after: NONE, gives: 0, takes: 0, norm: 0.0 };
        let length = self.lengths.get(number as usize).copied().unwrap_or(1);
        if self.rows.get(number as usize).is_some_and(Row::is_said) {
            let size = (f64::from(length) / weights.pivot).min(LONGEST);
            place.norm = 1.0 - weights.turn_b + weights.turn_b * size.min(1.0) + weights.beyond * (size - 1.0).max(0.0);
        }
        if let Some(row) = self.rows.get(number as usize).filter(|row| is_turn(row))
            && let Some(turns) = self.sessions.get(row.session as usize)
        {
            let before = |turn: &u32| self.rows.get(*turn as usize).is_some_and(|known| known.seq < row.seq);
            // Almost always the last.
            let at = if turns.last() == Some(&number) { turns.len() - 1 } else { turns.partition_point(before) };
            let (earlier, later) = turns.split_at(at);
            let others = |turn: &&u32| **turn != number && self.is_turn(turn);
            place.before = earlier.iter().rev().copied().find(|turn| others(&turn)).unwrap_or(NONE);
            place.after = later.iter().copied().find(|turn| others(&turn)).unwrap_or(NONE);
            let damped = WHOLE * weights.damp / weights.damp.max(length);
            place.gives = damped as u16;
            let by_user = self.traits.get(number as usize).is_some_and(|traits| traits.voice() == Voice::User);
            place.takes = if by_user { damped / 2 } else { damped } as u16;
        }
        self.places.push(place);
        self.link(place.before, number);
        self.link(number, place.after);
    }

    /// Removes an entry from the turns of its session.
    pub(super) fn part(&mut self, number: u32) {
        if let Some(place) = self.places.get(number as usize).copied() {
            self.link(place.before, place.after);
        }
    }

    fn link(&mut self, before: u32, after: u32) {
        if let Some(place) = self.places.get_mut(before as usize) {
            place.after = after;
        }
        if let Some(place) = self.places.get_mut(after as usize) {
            place.before = before;
        }
    }

    /// The other speaker in the turns next to an entry; the next turn, which answers it, has priority.
    pub(super) fn beside(&self, number: u32) -> Option<u32> {
        let speaker = |number: u32| self.rows.get(number as usize).map(|row| row.speaker);
        let place = self.places.get(number as usize).filter(|_| self.lengths.get(number as usize) != Some(&0))?;
        let is_other = |other: &u32| *other != NONE && Some(*other) != speaker(number);
        [place.after, place.before].into_iter().filter_map(speaker).find(is_other)
    }

    /// Whether it is a turn of the conversation. The memory's own tool traffic is not: it stands between a question and
    /// its answer without separating them.
    pub(super) fn is_turn(&self, number: &u32) -> bool {
        self.rows.get(*number as usize).is_some_and(is_turn)
    }
}

fn is_turn(row: &Row) -> bool {
    row.session != NONE && row.kind != DocKind::ToolTraffic
}

/// The share of a turn's words that its neighbours get, by distance, in units of [`WHOLE`].
pub(super) struct Carry {
    answer: u32,
    after: Vec<u32>,
    before: Vec<u32>,
}

impl Carry {
    pub(super) fn new(weights: &Weights) -> Self {
        let share = |share: f64| (share * f64::from(WHOLE) + 0.5) as u32;
        let falling = |first: f64| {
            let shares = std::iter::successors(Some(first), |last| Some(last * weights.decay));
            shares.take(weights.reach).map(share).collect()
        };
        Self { answer: share(weights.answer), after: falling(weights.after), before: falling(weights.before) }
    }

    /// Calls `add` with the share of `count` occurrences for each neighbour of `number`. Long turns give and take less
    /// of each word: an answer of 600 words is about many things, and explains none of its neighbours.
    #[inline]
    pub(super) fn each(&self, index: &Index, number: u32, count: u32, mut add: impl FnMut(u32, u32)) {
        let Some(place) = index.places.get(number as usize).filter(|place| place.gives > 0) else { return };
        let given = u64::from(count) * u64::from(place.gives);
        let mut give = |turn: u32, share: u32| {
            let taken = index.places.get(turn as usize)?;
            let share = given * u64::from(share) / u64::from(WHOLE);
            add(turn, (share * u64::from(taken.takes) / u64::from(WHOLE)) as u32);
            Some(*taken)
        };
        let asks = index.traits.get(number as usize).is_some_and(|traits| traits.asks());
        let mut next = place.after;
        for (distance, share) in self.after.iter().enumerate() {
            let share = if distance == 0 && asks { self.answer } else { *share };
            let Some(taken) = give(next, share) else { break };
            next = taken.after;
        }
        let mut previous = place.before;
        for share in &self.before {
            let Some(taken) = give(previous, *share) else { break };
            previous = taken.before;
        }
    }
}

/// The bonuses that a question gives to entries beside its words.
pub(super) struct Bonuses<'a> {
    index: &'a Index,
    question: &'a Question,
    /// The named speakers, and the positions of the words that name them.
    speakers: Vec<u32>,
    name_words: Vec<u32>,
    /// The value of the rarest term.
    unit: f64,
    /// Whether any candidate was written by the user.
    of_user: bool,
    /// A cache, by trait bits, of the highest bonus of an entry with them; negative if not computed yet.
    known: RefCell<Vec<f64>>,
}

impl<'a> Bonuses<'a> {
    pub(super) fn new(
        index: &'a Index,
        words: &mut Words,
        question: &'a Question,
        kinds: &[DocKind],
        unit: f64,
    ) -> Self {
        let (speakers, name_words) = names::named(index, words, question);
        let by_user = index.said_by_user.iter().zip(DocKind::ALL).filter(|(count, _)| **count > 0);
        let of_user = by_user.map(|(_, kind)| kind).any(|kind| kinds.is_empty() || kinds.contains(&kind));
        let known = RefCell::new(vec![-1.0; Traits::ALL]);
        Self { index, question, speakers, name_words, unit, of_user, known }
    }

    /// Whether the question names a speaker or a day.
    pub(super) fn names_any(&self) -> bool {
        !self.speakers.is_empty() || self.question.date.is_some()
    }

    /// Whether the question consists only of speakers' names.
    pub(super) fn names_only(&self) -> bool {
        !self.speakers.is_empty()
            && self.question.sought.iter().all(|sought| self.name_words.contains(&sought.position))
    }

    /// Whether an entry without a matching word is meant: it is by a named speaker or of a named day.
    pub(super) fn means(&self, number: u32) -> bool {
        let Some(row) = self.index.rows.get(number as usize) else { return false };
        let of_day = |date: &Date| is_dated(row) && days_away(date, day_of(row)) == 0.0;
        self.speakers.contains(&row.speaker) || self.question.date.as_ref().is_some_and(of_day)
    }

    /// The weight of the terms of the word at `position`: less if it names a speaker, which has its own bonus.
    pub(super) fn weight_of(&self, position: u32) -> f64 {
        let names = self.name_words.contains(&position) && !self.names_only();
        if names { self.index.weights.name_word } else { 1.0 }
    }

    /// The highest bonus of any entry.
    pub(super) fn ideal(&self) -> f64 {
        let weights = &self.index.weights;
        let mut sum = weights.importance;
        if self.index.said > 0 {
            sum += weights.length + weights.tells + weights.detail;
            sum += match self.question.wants {
                Wants::Anything => 0.0,
                Wants::Time => weights.time,
                Wants::Number => weights.number,
                Wants::Name => weights.name,
            };
        }
        if self.of_user {
            let question = self.question;
            let mine = if question.is_mine { weights.mine } else { 0.0 };
            let helps = if question.wants_help { weights.preference } else { 0.0 };
            let of_user = weights.user + mine + helps + weights.standing;
            let of_assistant = if question.of_assistant { weights.assistant } else { 0.0 };
            sum += of_user.max(of_assistant);
        }
        if !self.speakers.is_empty() {
            sum += weights.speaker;
        }
        if self.question.date.is_some() {
            sum += weights.date;
        }
        sum * self.unit
    }

    /// The bonuses of an entry, in the order of [`labels`](Self::labels); `own` says whether it has a word of the
    /// question itself.
    pub(super) fn of(&self, number: u32, own: bool) -> [f64; BONUSES] {
        let at = number as usize;
        let (Some(row), Some(traits)) = (self.index.rows.get(at), self.index.traits.get(at)) else {
            return [0.0; BONUSES];
        };
        let date = self.question.date.as_ref().filter(|_| is_dated(row));
        let length = self.index.lengths.get(at).copied().unwrap_or(0);
        self.parts(&Had {
            importance: row.importance.get(),
            named: self.speakers.contains(&row.speaker),
            days_away: date.map(|date| days_away(date, day_of(row))),
            said: row.is_said(),
            traits: *traits,
            length,
            own,
        })
    }

    /// The highest bonus of an entry with the traits of this one. Most entries have few of the traits that count, so this
    /// is far below the overall maximum.
    #[inline]
    pub(super) fn most_of(&self, number: u32) -> f64 {
        self.most_with(self.index.traits.get(number as usize).copied().unwrap_or_default())
    }

    /// The highest bonus that any entry could have.
    pub(super) fn most(&self) -> f64 {
        (0..Traits::ALL as u16).map(|bits| self.most_with(Traits::from_bits(bits))).fold(0.0, f64::max)
    }

    fn most_with(&self, traits: Traits) -> f64 {
        let mut known = self.known.borrow_mut();
        let Some(most) = known.get_mut(usize::from(traits.bits())) else { return f64::INFINITY };
        if *most < 0.0 {
            let parts = self.parts(&Had {
                importance: 1.0,
                named: !self.speakers.is_empty(),
                days_away: self.question.date.as_ref().map(|_| 0.0),
                said: self.index.said > 0,
                traits,
                length: u32::MAX,
                own: true,
            });
            // A little more, because of rounding.
            *most = parts.iter().sum::<f64>() * (1.0 + 1e-9);
        }
        *most
    }

    fn parts(&self, had: &Had) -> [f64; BONUSES] {
        let weights = &self.index.weights;
        let question = self.question;
        let Had { said, traits, own, .. } = *had;
        let unit = self.unit;
        let give = |is: bool, weight: f64| if is { weight * unit } else { 0.0 };
        let length = f64::from(had.length.min(weights.damp));
        let (wanted, worth) = match question.wants {
            Wants::Anything => (false, 0.0),
            Wants::Time => (traits.has_time(), weights.time),
            Wants::Number => (traits.has_number(), weights.number),
            Wants::Name => (traits.has_name(), weights.name),
        };
        let asks = traits.asks();
        // A short question says nothing about the user who asks it.
        let by_user = said && traits.voice() == Voice::User && !(asks && length <= weights.only_asks);
        let by_assistant = said && traits.voice() == Voice::Assistant && question.of_assistant;
        [
            weights.importance * had.importance * unit,
            give(had.named, weights.speaker),
            had.days_away.map_or(0.0, |days| weights.date * (1.0 / (1.0 + days / weights.date_days)) * unit),
            give(said && wanted, worth),
            give(said, weights.length * (length / (length + 20.0))),
            give(said && !asks, weights.tells),
            give(said && (traits.has_number() || traits.has_quote()), weights.detail),
            give(by_user, weights.user),
            give(by_user && question.is_mine, weights.mine),
            give(by_assistant, weights.assistant),
            give(said && traits.is_standing() && (own || question.wants_help), weights.standing),
            give(said && traits.prefers() && question.wants_help, weights.preference),
        ]
    }

    /// The labels of the bonuses.
    pub(super) fn labels(&self) -> [&'static str; BONUSES] {
        let wants = match self.question.wants {
            Wants::Time => "time",
            Wants::Number => "number",
            _ => "name",
        };
        [
            "importance",
            "speaker",
            "date",
            wants,
            "length",
            "tells",
            "detail",
            "user",
            "mine",
            "assistant",
            "standing",
            "preference",
        ]
    }
}

/// The number of kinds of bonuses.
const BONUSES: usize = 12;

/// The properties of an entry that give bonuses.
struct Had {
    importance: f64,
    /// Whether its speaker is named.
    named: bool,
    /// The distance to the named day.
    days_away: Option<f64>,
    said: bool,
    traits: Traits,
    length: u32,
    /// Whether it has a word of the question itself.
    own: bool,
}

/// Whether an entry's time matters for questions: it is a turn, or has an explicit event time.
fn is_dated(row: &Row) -> bool {
    row.session != NONE || row.at != row.created_at
}

fn day_of(row: &Row) -> i64 {
    row.at.millis().div_euclid(86_400_000)
}

/// The number of days between a day and the date.
fn days_away(date: &Date, day: i64) -> f64 {
    let away = |from: i64, to: i64| (from - day).max(day - to).max(0) as f64;
    match *date {
        Date::Days(from, to) => away(from, to),
        Date::Month(month, of_month) => {
            let year = 1970 + day.div_euclid(365);
            let of_year = |year: i64| match of_month {
                Some(of_month) => away(day_number(year, month, of_month), day_number(year, month, of_month)),
                None => away(day_number(year, month, 1), day_number(year, month, 1) + 30),
            };
            of_year(year - 1).min(of_year(year)).min(of_year(year + 1))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Sample, index};
    use super::*;

    const QUESTION: u16 = 1;
    const NUMBER: u16 = 2;
    const QUOTE: u16 = 4;
    const TIME: u16 = 8;
    const NAME: u16 = 16;
    const STANDING: u16 = 64;
    const PREFERS: u16 = 128;
    const USER: u16 = 256;
    const ASSISTANT: u16 = 512;

    /// An index whose bonuses are powers of two, so that each sum of some of them is unique and exact.
    fn weighed(samples: &[Sample<'_>]) -> Index {
        let mut index = index(samples);
        index.weights = Weights {
            importance: 1.0,
            speaker: 2.0,
            date: 4.0,
            time: 8.0,
            number: 16.0,
            name: 32.0,
            length: 64.0,
            tells: 128.0,
            detail: 256.0,
            user: 512.0,
            mine: 1024.0,
            assistant: 4096.0,
            standing: 2048.0,
            preference: 8192.0,
            ..Weights::default()
        };
        index
    }

    fn turn() -> Sample<'static> {
        Sample { content: "We hiked", session: Some("s"), speaker: Some("Ann"), ..Sample::default() }
    }

    fn asked() -> Question {
        Question {
            date: None,
            wants: Wants::Anything,
            is_mine: false,
            of_assistant: false,
            wants_help: false,
            ..Question::new("hike", 0)
        }
    }

    fn bonuses<'a>(index: &'a Index, question: &'a Question, speakers: &[u32], of_user: bool) -> Bonuses<'a> {
        let known = RefCell::new(vec![-1.0; Traits::ALL]);
        Bonuses { index, question, speakers: speakers.to_vec(), name_words: Vec::new(), unit: 0.5, of_user, known }
    }

    #[test]
    fn the_most_that_an_entry_can_get_is_the_sum_of_what_the_question_gives() {
        let ideal = |index: &Index, question: &Question, speakers: &[u32], of_user: bool| {
            bonuses(index, question, speakers, of_user).ideal() / 0.5
        };
        let (plain, talk) = (weighed(&[Sample { content: "We hiked", ..Sample::default() }]), weighed(&[turn()]));
        assert_eq!(ideal(&plain, &asked(), &[], false), 1.0);
        let said = 1.0 + 64.0 + 128.0 + 256.0;
        assert_eq!(ideal(&talk, &asked(), &[], false), said);
        for (wants, worth) in [(Wants::Time, 8.0), (Wants::Number, 16.0), (Wants::Name, 32.0)] {
            let question = Question { wants, ..asked() };
            assert_eq!(ideal(&talk, &question, &[], false), said + worth);
            assert_eq!(ideal(&plain, &question, &[], false), 1.0);
        }
        assert_eq!(ideal(&talk, &asked(), &[0], false), said + 2.0);
        assert_eq!(ideal(&talk, &Question { date: Some(Date::Days(0, 0)), ..asked() }, &[], false), said + 4.0);
        let of_user = said + 512.0 + 2048.0;
        assert_eq!(ideal(&talk, &asked(), &[], true), of_user);
        let mine = Question { is_mine: true, ..asked() };
        assert_eq!(ideal(&talk, &mine, &[], true), of_user + 1024.0);
        assert_eq!(ideal(&talk, &Question { wants_help: true, ..asked() }, &[], true), of_user + 8192.0);
        // No entry is by both: the larger sum counts.
        assert_eq!(ideal(&talk, &Question { of_assistant: true, ..asked() }, &[], true), said + 4096.0);
        assert_eq!(
            ideal(&talk, &Question { of_assistant: true, wants_help: true, ..mine.clone() }, &[], true),
            of_user + 1024.0 + 8192.0
        );
        assert_eq!(ideal(&talk, &Question { wants_help: true, ..mine }, &[], false), said);
    }

    #[test]
    fn each_bonus_is_given_for_its_reason_alone() {
        let index = weighed(&[turn()]);
        let nothing = || Had {
            importance: 0.0,
            named: false,
            days_away: None,
            said: true,
            traits: Traits::from_bits(QUESTION),
            length: 0,
            own: false,
        };
        // The bonuses that are not 0.
        let given = |question: &Question, had: Had| {
            let bonuses = bonuses(&index, question, &[], false);
            let parts = bonuses.parts(&had).into_iter().zip(bonuses.labels());
            parts.filter(|(value, _)| *value != 0.0).map(|(value, label)| (label, value / 0.5)).collect::<Vec<_>>()
        };
        let traits = |bits: u16| Traits::from_bits(bits);
        let none: Vec<(&str, f64)> = Vec::new();
        assert_eq!(given(&asked(), nothing()), none);
        assert_eq!(given(&asked(), Had { importance: 0.25, ..nothing() }), [("importance", 0.25)]);
        assert_eq!(given(&asked(), Had { named: true, ..nothing() }), [("speaker", 2.0)]);
        assert_eq!(given(&asked(), Had { days_away: Some(0.0), ..nothing() }), [("date", 4.0)]);
        assert_eq!(given(&asked(), Had { days_away: Some(15.0), ..nothing() }), [("date", 1.0)]);
        assert_eq!(given(&asked(), Had { length: 60, ..nothing() }), [("length", 48.0)]);
        assert_eq!(given(&asked(), Had { length: 61, ..nothing() }), [("length", 48.0)]);
        assert_eq!(given(&asked(), Had { length: 20, ..nothing() }), [("length", 32.0)]);
        assert_eq!(given(&asked(), Had { traits: traits(0), ..nothing() }), [("tells", 128.0)]);
        for (wants, bit, label, worth) in [(Wants::Time, TIME, "time", 8.0), (Wants::Name, NAME, "name", 32.0)] {
            let question = Question { wants, ..asked() };
            assert_eq!(given(&question, Had { traits: traits(QUESTION | bit), ..nothing() }), [(label, worth)]);
            assert_eq!(given(&question, nothing()), none);
            assert_eq!(given(&asked(), Had { traits: traits(QUESTION | bit), ..nothing() }), none);
        }
        let number = Question { wants: Wants::Number, ..asked() };
        assert_eq!(
            given(&number, Had { traits: traits(QUESTION | NUMBER), ..nothing() }),
            [("number", 16.0), ("detail", 256.0)]
        );
        assert_eq!(given(&number, Had { traits: traits(QUESTION | QUOTE), ..nothing() }), [("detail", 256.0)]);
        // A question of nine words says something about the user, one of eight does not.
        let by_user = |length: u32, bits: u16| Had { length, traits: traits(USER | bits), ..nothing() };
        let of_user = |question: &Question, had: Had| {
            let length = |(label, _): &(&str, f64)| *label != "length" && *label != "tells";
            given(question, had).into_iter().filter(length).collect::<Vec<_>>()
        };
        let mine = Question { is_mine: true, ..asked() };
        assert_eq!(of_user(&asked(), by_user(8, QUESTION)), none);
        assert_eq!(of_user(&asked(), by_user(9, QUESTION)), [("user", 512.0)]);
        assert_eq!(of_user(&mine, by_user(9, QUESTION)), [("user", 512.0), ("mine", 1024.0)]);
        assert_eq!(of_user(&mine, by_user(8, QUESTION)), none);
        assert_eq!(of_user(&asked(), by_user(8, 0)), [("user", 512.0)]);
        assert_eq!(of_user(&mine, Had { traits: traits(ASSISTANT), ..nothing() }), none);
        let of_assistant = Question { of_assistant: true, ..asked() };
        assert_eq!(of_user(&of_assistant, Had { traits: traits(ASSISTANT), ..nothing() }), [("assistant", 4096.0)]);
        assert_eq!(of_user(&of_assistant, Had { traits: traits(0), ..nothing() }), none);
        let help = Question { wants_help: true, ..asked() };
        let told = |own: bool| Had { traits: traits(QUESTION | STANDING | PREFERS), own, ..nothing() };
        assert_eq!(given(&asked(), told(false)), none);
        assert_eq!(given(&asked(), told(true)), [("standing", 2048.0)]);
        assert_eq!(given(&help, told(false)), [("standing", 2048.0), ("preference", 8192.0)]);
        assert_eq!(given(&help, nothing()), none);
        // An entry without a speaker has none of the bonuses for turns.
        let all = USER | STANDING | PREFERS | NUMBER | QUOTE | TIME | NAME;
        let question =
            Question { wants: Wants::Number, is_mine: true, of_assistant: true, wants_help: true, ..asked() };
        for bits in [all, all & !USER | ASSISTANT] {
            assert_eq!(
                given(&question, Had { said: false, own: true, length: 60, traits: traits(bits), ..nothing() }),
                none
            );
        }
    }
}
