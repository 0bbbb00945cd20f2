//! Dates that a question names: `7 May 2023`, `May 2023`, `2023-05-07`, `5月7日`, `last week`, `three days ago`.

use super::chars::is_accent;
use super::listed::Listed;
use super::question::Word;

/// A date in a question, as days counted from 1970-01-01.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Date {
    /// From the first day to the last.
    Days(i64, i64),
    /// A month of any year, and perhaps a day of it.
    Month(u8, Option<u8>),
}

/// Names of the twelve months, without accents: English, German, French, Spanish.
static MONTHS: Listed = Listed::new(
    "\
    january:1 jan:1 januar:1 janvier:1 enero:1 february:2 feb:2 februar:2 fevrier:2 febrero:2 march:3 mar:3 \
    marz:3 mars:3 marzo:3 april:4 apr:4 avril:4 abril:4 may:5 mai:5 mayo:5 june:6 jun:6 juni:6 juin:6 junio:6 \
    july:7 jul:7 juli:7 juillet:7 julio:7 august:8 aug:8 aout:8 agosto:8 september:9 sep:9 sept:9 septembre:9 \
    septiembre:9 october:10 oct:10 oktober:10 octobre:10 octubre:10 november:11 nov:11 novembre:11 \
    noviembre:11 december:12 dec:12 dezember:12 decembre:12 diciembre:12",
);

/// The number of the month that `word` names, 1 to 12.
fn month(word: &str) -> Option<u8> {
    let plain: String = word.chars().filter(|c| !is_accent(*c)).collect();
    MONTHS.find(&plain)?.parse().ok()
}

/// Whether `word`, folded, is about time. English only; May and March are verbs too and left out.
pub(super) fn is_time_word(word: &str) -> bool {
    let year = word.len() == 4 && (word.starts_with("19") || word.starts_with("20")) && number(word).is_some();
    year || TIME_WORDS.has(word)
}

static TIME_WORDS: Listed = Listed::new(
    "\
    ago apr april aug august day days dec december evening fall feb february friday jan january jul july jun \
    june last later monday month months morning night nov november now oct october previous recently saturday \
    sep sept september since spring summer sunday thursday today tomorrow tonight tuesday wednesday week \
    weekend weeks winter year years yesterday yet",
);

/// The day number of a date, the inverse of `civil_from_days` in `model/time.rs`: years begin in March.
pub fn day_number(year: i64, month: u8, day: u8) -> i64 {
    let shifted = if month <= 2 { year - 1 } else { year };
    let era = shifted.div_euclid(400);
    let year_of_era = shifted.rem_euclid(400);
    let day_of_year = (153 * ((i64::from(month) + 9) % 12) + 2) / 5 + i64::from(day) - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

fn number(word: &str) -> Option<i64> {
    (word.len() <= 4).then(|| word.parse().ok()).flatten()
}

/// `7`, `7th` or `07`, as a day of a month.
fn day_of_month(word: &str) -> Option<u8> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let day = digits.parse().ok()?;
    (1..=31).contains(&day).then_some(day)
}

fn year_of(word: &str) -> Option<i64> {
    number(word).filter(|year| word.len() == 4 && (1000..=2999).contains(year))
}

/// The first and the last day of a month.
fn whole_month(year: i64, month: u8) -> Date {
    let next = if month == 12 { day_number(year + 1, 1, 1) } else { day_number(year, month + 1, 1) };
    Date::Days(day_number(year, month, 1), next - 1)
}

fn dated(year: Option<i64>, month: u8, day: Option<u8>) -> Date {
    match (year, day) {
        (Some(year), Some(day)) => {
            let day = day_number(year, month, day);
            Date::Days(day, day)
        }
        (Some(year), None) => whole_month(year, month),
        (None, day) => Date::Month(month, day),
    }
}

/// The first date that the words of a question name. `today` is needed for `last week`.
pub(super) fn find_date(words: &[Word], today: i64) -> Option<Date> {
    let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    for at in 0..words.len() {
        let found = iso(&text, at)
            .or_else(|| numeric(&text, at))
            .or_else(|| marked(&text, at))
            .or_else(|| korean(&text, at))
            .or_else(|| relative(&text, at, today));
        if found.is_some() {
            return found;
        }
        // May and March are verbs too: they need a capital, a number next to them, or "in May", "en mai".
        let Some(month) = month(text(at)) else { continue };
        let before = at.checked_sub(1).and_then(|before| day_of_month(text(before)));
        let after = day_of_month(text(at + 1)).filter(|_| year_of(text(at + 1)).is_none() && before.is_none());
        let next = at + 1 + usize::from(after.is_some());
        // A filler may come between: "May of 2023", "mayo de 2023".
        let next = if matches!(text(next), "of" | "de" | "in") { next + 1 } else { next };
        let year = year_of(text(next));
        let within = at.checked_sub(1).is_some_and(|before| matches!(text(before), "in" | "en" | "im"));
        let capital = words.get(at).is_some_and(|word| word.capital);
        if year.is_some() || before.is_some() || after.is_some() || capital || within {
            return Some(dated(year, month, before.or(after)));
        }
    }
    let at = (0..words.len()).find(|at| year_of(text(*at)).is_some_and(|year| year >= 1900))?;
    let year = year_of(text(at))?;
    Some(Date::Days(day_number(year, 1, 1), day_number(year, 12, 31)))
}

/// `2023 05 07`, the words of an ISO date.
fn iso<'a>(text: &impl Fn(usize) -> &'a str, at: usize) -> Option<Date> {
    let year = year_of(text(at))?;
    let month = day_of_month(text(at + 1)).filter(|month| *month <= 12 && text(at + 1).len() == 2)?;
    let day = day_of_month(text(at + 2)).filter(|_| text(at + 2).len() == 2);
    Some(dated(Some(year), month, day))
}

/// `07.05.2023`, one word, and `7/5/2023`, three: the day comes first unless only the other order is a date.
fn numeric<'a>(text: &impl Fn(usize) -> &'a str, at: usize) -> Option<Date> {
    let mut points = text(at).split('.');
    let (first, second, year) = match (points.next(), points.next(), points.next(), points.next()) {
        (Some(first), Some(second), Some(year), None) => (first, second, year),
        _ => (text(at), text(at + 1), text(at + 2)),
    };
    let year = year_of(year)?;
    let (first, second) = (day_of_month(first)?, day_of_month(second)?);
    let (day, month) = if second <= 12 { (first, second) } else { (second, first) };
    (month <= 12).then(|| dated(Some(year), month, Some(day)))
}

/// `2023 年 5 月 7 日`, `5月`, and Vietnamese `7 tháng 5 năm 2023`, `tháng 5`.
fn marked<'a>(text: &impl Fn(usize) -> &'a str, at: usize) -> Option<Date> {
    let is_month = |month: &u8| *month <= 12;
    let (year, start) = match text(at + 1) {
        "年" => (Some(year_of(text(at))?), at + 2),
        _ => (None, at),
    };
    if text(start + 1) == "月" {
        let month = day_of_month(text(start)).filter(is_month)?;
        let day = day_of_month(text(start + 2)).filter(|_| text(start + 3) == "日");
        return Some(dated(year, month, day));
    }
    if year.is_some() {
        return None;
    }
    let day = day_of_month(text(at)).filter(|_| text(at + 1) == "tha\u{301}ng");
    let named = at + usize::from(day.is_some());
    if text(named) != "tha\u{301}ng" {
        return None;
    }
    let month = day_of_month(text(named + 1)).filter(is_month)?;
    let year = year_of(text(named + 3)).filter(|_| text(named + 2) == "na\u{306}m");
    Some(dated(year, month, day))
}

/// `2023년 5월 7일에`, `5월7일`, `2023년에`: in one word or in several, with particles after them.
fn korean<'a>(text: &impl Fn(usize) -> &'a str, at: usize) -> Option<Date> {
    let joined = text(at).contains(['년', '월']).then(|| [text(at), text(at + 1), text(at + 2)].concat())?;
    let mut rest = joined.as_str();
    let mut before = |mark: char| {
        let (number, after) = rest.split_once(mark).filter(|(number, _)| number.bytes().all(|c| c.is_ascii_digit()))?;
        rest = after;
        Some(number)
    };
    let year = before('년').and_then(year_of);
    match (year, before('월').and_then(day_of_month)) {
        (_, Some(month)) if month <= 12 => Some(dated(year, month, before('일').and_then(day_of_month))),
        (Some(year), None) => Some(Date::Days(day_number(year, 1, 1), day_number(year, 12, 31))),
        _ => None,
    }
}

/// `yesterday`, `last week`, `two days ago`: English only.
fn relative<'a>(text: &impl Fn(usize) -> &'a str, at: usize, today: i64) -> Option<Date> {
    let days = |unit: &str| match unit.trim_end_matches('s') {
        "day" => Some(1),
        "week" => Some(7),
        "month" => Some(30),
        "year" => Some(365),
        _ => None,
    };
    let near = |from: i64, to: i64| Some(Date::Days(today - from, today - to));
    match text(at) {
        "today" => near(0, 0),
        "yesterday" => near(1, 1),
        "last" => days(text(at + 1)).and_then(|days| near(2 * days, days.min(7))),
        "this" => days(text(at + 1)).and_then(|days| near(days, 0)),
        count => {
            let words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
            let spelled = words.iter().position(|word| *word == count).map(|at| at as i64 + 1);
            let count = if count == "a" { Some(1) } else { spelled.or_else(|| number(count)) }?;
            let unit = days(text(at + 1)).filter(|_| text(at + 2) == "ago")?;
            near(count * unit + unit / 3, count * unit - unit / 3)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::question::words_of;
    use super::*;

    fn date(text: &str) -> Option<Date> {
        find_date(&words_of(text), 20_000)
    }

    #[test]
    fn day_numbers_are_counted_from_1970() {
        assert_eq!(day_number(1970, 1, 1), 0);
        assert_eq!(day_number(2000, 2, 29), 11_016);
        assert_eq!(day_number(2023, 5, 7), 19_484);
    }

    #[test]
    fn dates_are_found_in_questions() {
        let day = Some(Date::Days(19_484, 19_484));
        for text in [
            "What happened on 7 May 2023?",
            "on May 7th, 2023",
            "at 2023-05-07",
            "am 07.05.2023",
            "le 7/5/2023",
            "2023年5月7日",
            "nga\u{300}y 7 tha\u{301}ng 5 na\u{306}m 2023",
            "am 7. Mai 2023",
            "2023년 5월 7일에 뭐 했어?",
            "2023년 5월 7일",
        ] {
            assert_eq!(date(text), day, "{text}");
        }
        assert_eq!(date("on 12/25/2023"), date("on 25 December 2023"));
        assert_eq!(date("version 1.2.2023.4 of 40/50/2023"), Some(Date::Days(19_358, 19_722)));
        assert_eq!(date("in May 2023"), Some(Date::Days(19_478, 19_508)));
        assert_eq!(date("during July"), Some(Date::Month(7, None)));
        assert_eq!(date("on 14 February"), Some(Date::Month(2, Some(14))));
        assert_eq!(date("in 2022"), Some(Date::Days(18_993, 19_357)));
        assert_eq!(date("two days ago"), Some(Date::Days(19_998, 19_998)));
        // Months have no capital in many languages.
        assert_eq!(date("¿que\u{301} hicimos en julio?"), Some(Date::Month(7, None)));
        assert_eq!(date("qu'avons-nous fait en mai ?"), Some(Date::Month(5, None)));
        assert_eq!(date("7월에 뭐 했어?"), Some(Date::Month(7, None)));
        assert_eq!(date("2023년 5월에는"), Some(Date::Days(19_478, 19_508)));
        assert_eq!(date("may I march there"), None);
        assert_eq!(date("13월 2023월일"), None);
        assert_eq!(date("9999999999 99 99"), None);
    }
}
