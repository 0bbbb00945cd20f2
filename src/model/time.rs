//! Timestamps, in milliseconds since 1970 UTC, between the years 0 and 9999 so that each has an ISO 8601 form.

use super::Invalid;
use std::fmt;

const YEAR_0: i64 = -62_167_219_200_000;
const YEAR_10000: i64 = 253_402_300_800_000;
const DAY: i64 = 86_400_000;

/// A timestamp. Clocks jump, so nothing may assume that a later call sees a later one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The first timestamp.
    pub const MIN: Self = Self(YEAR_0);
    /// The last timestamp.
    pub const MAX: Self = Self(YEAR_10000 - 1);

    /// Milliseconds since 1970 UTC, if the year has four digits.
    pub fn from_millis(field: &str, millis: i64) -> Result<Self, Invalid> {
        if (YEAR_0..YEAR_10000).contains(&millis) {
            Ok(Self(millis))
        } else {
            Err(Invalid::value(field, "must be milliseconds since 1970 within the years 0 to 9999"))
        }
    }

    /// Parses ISO 8601 in UTC: a date (`2023-05-07`), or a date and time (`2023-05-07T13:56`, optionally with seconds,
    /// fractions and `Z`).
    pub fn parse(field: &str, text: &str) -> Result<Self, Invalid> {
        let refused = || Invalid::value(field, "must be a time in ISO 8601, such as 2025-01-02T10:00:00Z");
        let millis = parse_iso(text).ok_or_else(refused)?;
        Self::from_millis(field, millis)
    }

    /// Milliseconds since 1970 UTC.
    pub fn millis(self) -> i64 {
        self.0
    }

    /// This timestamp plus `days`, saturating at the end of the year 9999.
    pub fn plus_days(self, days: u32) -> Self {
        self.plus_millis(i64::from(days) * DAY)
    }

    /// This timestamp plus `millis`, saturating at the ends of the range.
    pub fn plus_millis(self, millis: i64) -> Self {
        Self(self.0.saturating_add(millis).clamp(YEAR_0, YEAR_10000 - 1))
    }
}

/// `2025-01-02T10:00:00.000Z`, as JavaScript's `toISOString` writes it.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (days, millis) = (self.0.div_euclid(DAY), self.0.rem_euclid(DAY));
        let (year, month, day) = civil_from_days(days);
        let (hours, minutes) = (millis / 3_600_000, millis / 60_000 % 60);
        let (seconds, millis) = (millis / 1000 % 60, millis % 1000);
        write!(f, "{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}.{millis:03}Z")
    }
}

fn parse_iso(text: &str) -> Option<i64> {
    let (date, time) = text.split_once(['T', ' ']).unwrap_or((text, "00:00"));
    let mut date = date.splitn(3, '-');
    let year = digits(date.next()?, &[4])?;
    let (month, day) = (digits(date.next()?, &[2])?, digits(date.next()?, &[2])?);
    let days = days_from_civil(year, month, day);
    if civil_from_days(days) != (year, month, day) {
        return None;
    }
    let time = time.strip_suffix('Z').unwrap_or(time);
    let (clock, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let mut clock = clock.splitn(3, ':').map(|part| digits(part, &[2]));
    let (hour, minute, second) = (clock.next()??, clock.next()??, clock.next().unwrap_or(Some(0))?);
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let places = fraction.len().min(3) as u32;
    let millis = digits(fraction.get(..places as usize)?, &[1, 2, 3])? * 10_i64.pow(3 - places);
    Some(days * DAY + hour * 3_600_000 + minute * 60_000 + second * 1000 + millis)
}

/// The number in `text`, if it has one of these lengths and nothing but digits.
fn digits(text: &str, lengths: &[usize]) -> Option<i64> {
    let only_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    if only_digits && lengths.contains(&text.len()) { text.parse().ok() } else { None }
}

/// The day counted from 1970-01-01 of a proleptic Gregorian date; the inverse of `civil_from_days` for valid dates.
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let year_of_era = year.rem_euclid(400);
    let month_from_march = (month + 9) % 12;
    let day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    year.div_euclid(400) * 146_097 + day_of_era - 719_468
}

/// The proleptic Gregorian date of a day counted from 1970-01-01. Years are counted from March, so that the leap day is
/// the last of its year, in eras of 400 years, which repeat exactly.
fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468; // from 0000-03-01
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn iso(millis: i64) -> String {
        Timestamp::from_millis("now", millis).unwrap().to_string()
    }

    #[test]
    fn iso_is_what_javascript_writes() {
        assert_eq!(iso(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(iso(-1), "1969-12-31T23:59:59.999Z");
        assert_eq!(iso(1_735_812_000_000), "2025-01-02T10:00:00.000Z");
        assert_eq!(iso(951_782_399_999), "2000-02-28T23:59:59.999Z");
        assert_eq!(iso(951_782_400_000), "2000-02-29T00:00:00.000Z");
        assert_eq!(iso(4_107_542_400_000), "2100-03-01T00:00:00.000Z");
        assert_eq!(iso(YEAR_0), "0000-01-01T00:00:00.000Z");
        assert_eq!(iso(YEAR_10000 - 1), "9999-12-31T23:59:59.999Z");
    }

    #[test]
    fn iso_is_read_back() {
        let read = |text: &str| Timestamp::parse("at", text).map(Timestamp::millis);
        for millis in [0, -1, 1_735_812_000_123, 951_782_400_000, YEAR_0, YEAR_10000 - 1] {
            assert_eq!(read(&iso(millis)), Ok(millis));
        }
        assert_eq!(read("2023-05-07"), Ok(1_683_417_600_000));
        assert_eq!(read("2023-05-07T13:56"), Ok(1_683_467_760_000));
        assert_eq!(read("2023-05-07 13:56:01.5"), Ok(1_683_467_761_500));
        for bad in [
            "",
            "2023",
            "2023-02-29",
            "2023-13-01",
            "2023-00-10",
            "2023-05-07T25:00",
            "07.05.2023",
            "2023-05-07T1",
            "23-05-07",
            "x",
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn moments_outside_four_digit_years_are_refused_and_sums_stop_there() {
        assert!(Timestamp::from_millis("now", YEAR_10000).is_err());
        assert!(Timestamp::from_millis("now", i64::MIN).is_err());
        let last = Timestamp::from_millis("now", YEAR_10000 - 1).unwrap();
        assert_eq!(last.plus_days(u32::MAX), last);
    }
}
