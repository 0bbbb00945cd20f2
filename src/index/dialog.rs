//! What dialogs have and plain documents have not: turns that explain each other, speakers, dates, kinds of answers.

use super::best::WHOLE;
use super::doc::{DocKind, NONE, Row};
use super::store::Index;
use crate::text::{Date, Question, Wants, day_number};

impl Index {
    /// Names the turns around `number` and how much of its words each of them carries.
    pub(super) fn near(&self, number: u32, carry: &mut dyn FnMut(u32, u32)) {
        let Some(row) = self.rows.get(number as usize) else { return };
        let Some(turns) = self.sessions.get(row.session as usize).filter(|_| self.is_turn(&number)) else { return };
        let before = |turn: &u32| self.rows.get(*turn as usize).is_some_and(|known| known.seq < row.seq);
        let (before, from) = turns.split_at(turns.partition_point(before));
        let is_turn = |turn: &&u32| self.is_turn(turn);
        let (mut next, mut previous) = (from.iter().skip(1).filter(is_turn), before.iter().rev().filter(is_turn));
        let weights = &self.weights;
        let part = |share: f64| (share * f64::from(WHOLE) + 0.5) as u32;
        let asks = self.traits.get(number as usize).is_some_and(|traits| traits.asks());
        let (mut after, mut earlier) = (weights.after, weights.before);
        for distance in 1..=weights.reach {
            if let Some(turn) = next.next() {
                let share = if distance == 1 && asks { weights.answer } else { after };
                carry(*turn, part(share));
            }
            if let Some(turn) = previous.next() {
                carry(*turn, part(earlier));
            }
            after *= weights.decay;
            earlier *= weights.decay;
        }
    }

    /// Whether something is said in it. The memory's own tool traffic lies between a question and its answer, and neither
    /// explains them nor keeps them apart.
    pub(super) fn is_turn(&self, number: &u32) -> bool {
        self.rows.get(*number as usize).is_some_and(|row| row.kind != DocKind::ToolTraffic)
    }
}

/// What a question makes entries worth beside its words.
pub(super) struct Bonuses<'a> {
    index: &'a Index,
    question: &'a Question,
    /// The speakers that are named, and the positions of the words that do so.
    speakers: Vec<u32>,
    name_words: Vec<u32>,
    /// The worth of the rarest term.
    unit: f64,
    /// Whether there is any dialog at all.
    dialog: bool,
}

impl<'a> Bonuses<'a> {
    pub(super) fn new(index: &'a Index, question: &'a Question, unit: f64) -> Self {
        let mut speakers = Vec::new();
        let mut name_words = Vec::new();
        for (speaker, names) in (0_u32..).zip(&index.speakers) {
            let named = question.words.iter().filter(|word| names.contains(&word.text));
            let before = name_words.len();
            name_words.extend(named.map(|word| word.position));
            if name_words.len() > before {
                speakers.push(speaker);
            }
        }
        Self { index, question, speakers, name_words, unit, dialog: !index.sessions.is_empty() }
    }

    /// Whether the question says nothing but names of speakers.
    pub(super) fn names_only(&self) -> bool {
        !self.speakers.is_empty()
            && self.question.sought.iter().all(|sought| self.name_words.contains(&sought.position))
    }

    /// Whether the question means an entry without a word of it: it is by a speaker or of a day that is named.
    pub(super) fn means(&self, number: u32) -> bool {
        let Some(row) = self.index.rows.get(number as usize) else { return false };
        let of_day = |date: &Date| is_dated(row) && days_away(date, day_of(row)) == 0.0;
        self.speakers.contains(&row.speaker) || self.question.date.as_ref().is_some_and(of_day)
    }

    /// How much the terms of the word at `position` count: less if it names a speaker, which has a bonus of its own.
    pub(super) fn weight_of(&self, position: u32) -> f64 {
        let names = self.name_words.contains(&position) && !self.names_only();
        if names { self.index.weights.name_word } else { 1.0 }
    }

    /// The most that an entry can get.
    pub(super) fn ideal(&self) -> f64 {
        let weights = &self.index.weights;
        let mut sum = weights.importance;
        if self.dialog {
            sum += weights.length + weights.tells + weights.detail;
            sum += match self.question.wants {
                Wants::Anything => 0.0,
                Wants::Time => weights.time,
                Wants::Number => weights.number,
                Wants::Name => weights.name,
            };
        }
        if !self.speakers.is_empty() {
            sum += weights.speaker;
        }
        if self.question.date.is_some() {
            sum += weights.date;
        }
        sum * self.unit
    }

    /// Hands each bonus of an entry to `give`.
    pub(super) fn each(&self, number: u32, give: &mut dyn FnMut(&'static str, f64)) {
        let weights = &self.index.weights;
        let at = number as usize;
        let (Some(row), Some(traits)) = (self.index.rows.get(at), self.index.traits.get(at)) else { return };
        let mut give = |label, weight: f64| {
            if weight != 0.0 {
                give(label, weight * self.unit);
            }
        };
        give("importance", weights.importance * row.importance.get());
        if self.speakers.contains(&row.speaker) {
            give("speaker", weights.speaker);
        }
        if let Some(date) = &self.question.date
            && is_dated(row)
        {
            let share = 1.0 / (1.0 + days_away(date, day_of(row)) / weights.date_days);
            give("date", weights.date * share);
        }
        if row.session == NONE {
            return;
        }
        match self.question.wants {
            Wants::Time if traits.has_time() => give("time", weights.time),
            Wants::Number if traits.has_number() => give("number", weights.number),
            Wants::Name if traits.has_name() => give("name", weights.name),
            _ => {}
        }
        let length = self.index.lengths.get(at).map_or(0.0, |length| f64::from(*length));
        give("length", weights.length * (length / (length + 20.0)));
        if !traits.asks() {
            give("tells", weights.tells);
        }
        if traits.has_number() || traits.has_quote() {
            give("detail", weights.detail);
        }
    }
}

/// Whether an entry's time means something to questions: it is a turn, or somebody said when it happened.
fn is_dated(row: &Row) -> bool {
    row.session != NONE || row.at != row.created_at
}

fn day_of(row: &Row) -> i64 {
    row.at.millis().div_euclid(86_400_000)
}

/// How many days lie between a day and the date.
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
