//! Parses when a quota resets from the error text of an agent program.

use forge_domain::Timestamp;
use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;

/// The stated time, in any of the formats that the programs use. A clock time without a zone is in the zone of this
/// machine, where the program runs.
pub(crate) fn reset_time(text: &str, now: Timestamp) -> Option<Timestamp> {
    reset_time_here(text, now, &TimeZone::system())
}

fn reset_time_here(text: &str, now: Timestamp, here: &TimeZone) -> Option<Timestamp> {
    parse_epoch(text)
        .or_else(|| parse_date(text))
        .or_else(|| parse_span(&text.to_lowercase()).map(|millis| after_millis(now, millis)))
        .or_else(|| parse_clock_time(&text.to_lowercase(), now, here))
}

fn after_millis(now: Timestamp, millis: i64) -> Timestamp {
    Timestamp::from_millis(now.millis().saturating_add(millis))
}

/// `…reached|1749924000`, in seconds or milliseconds.
fn parse_epoch(text: &str) -> Option<Timestamp> {
    let (_, rest) = text.rsplit_once('|')?;
    let digits: String = rest.trim_start().chars().take_while(char::is_ascii_digit).collect();
    let number: i64 = digits.parse().ok()?;
    match digits.len() {
        10 => Some(Timestamp::from_millis(number.checked_mul(1000)?)),
        13 => Some(Timestamp::from_millis(number)),
        _ => None,
    }
}

/// An RFC 3339 timestamp.
fn parse_date(text: &str) -> Option<Timestamp> {
    let words = text.split(|c: char| c.is_whitespace() || "\"'(),;".contains(c));
    words
        .filter(|word| word.len() >= 20 && word.contains('T'))
        .find_map(|word| word.trim_end_matches('.').parse::<jiff::Timestamp>().ok())
        .map(|at| Timestamp::from_millis(at.as_millisecond()))
}

/// `try again in 3 days 4 hours`, `retry in 34.07s`, `retry-after: 30`.
fn parse_span(low: &str) -> Option<i64> {
    const LEADS: [&str; 9] = [
        "again in ",
        "retry in ",
        "resets in ",
        "reset in ",
        "reset after ",
        "wait ",
        "retry after ",
        "retry-after: ",
        "retry_after: ",
    ];
    LEADS.iter().find_map(|lead| {
        let (_, rest) = low.split_once(lead)?;
        let bare_is_seconds = lead.starts_with("retry") && !lead.ends_with("in ");
        parse_duration(rest, bare_is_seconds)
    })
}

fn parse_duration(text: &str, bare_is_seconds: bool) -> Option<i64> {
    let mut rest = text.trim_start();
    let mut total = None;
    loop {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let (number, after) = rest.split_at_checked(digits)?;
        let Ok(number) = number.trim_end_matches('.').parse::<f64>() else { break };
        let after = after.trim_start();
        let letters = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
        let (unit, left) = after.split_at_checked(letters)?;
        let Some(millis) = unit_millis(unit) else {
            let seconds = bare_is_seconds && total.is_none();
            return if seconds { checked_millis(number * 1000.0) } else { total };
        };
        total = Some(total.unwrap_or(0_i64).saturating_add(checked_millis(number * millis)?));
        let left = left.trim_start_matches([' ', ',']);
        rest = left.strip_prefix("and ").unwrap_or(left);
    }
    total
}

fn unit_millis(unit: &str) -> Option<f64> {
    match unit {
        "ms" | "millisecond" | "milliseconds" => Some(1.0),
        "s" | "sec" | "secs" | "second" | "seconds" => Some(1_000.0),
        "m" | "min" | "mins" | "minute" | "minutes" => Some(60_000.0),
        "h" | "hr" | "hrs" | "hour" | "hours" => Some(3_600_000.0),
        "d" | "day" | "days" => Some(86_400_000.0),
        _ => None,
    }
}

/// More than a year is not a reset time.
fn checked_millis(millis: f64) -> Option<i64> {
    (0.0..=366.0 * 86_400_000.0).contains(&millis).then_some(millis.ceil() as i64)
}

/// `resets 3pm (Europe/Berlin)`, `try again at 17:30 UTC`, `try again at Nov 20th, 2026 3:05 PM`: the next such time.
fn parse_clock_time(low: &str, now: Timestamp, here: &TimeZone) -> Option<Timestamp> {
    let rest = ["resets at ", "resets ", "again at ", "reset at "]
        .iter()
        .find_map(|lead| low.split_once(lead).map(|(_, rest)| rest))?;
    let (day, rest) = match parse_day(rest) {
        Some((day, rest)) => (Some(day), rest),
        None => (None, rest),
    };
    let (time, after) = parse_time(rest)?;
    let zone = match parse_zone(after) {
        Some(named) => named?,
        None => here.clone(),
    };
    let now = jiff::Timestamp::from_millisecond(now.millis()).ok()?;
    let today = now.to_zoned(zone.clone()).date();
    let at = |date: Date| zone.to_zoned(date.to_datetime(time)).ok();
    let stated = match day {
        Some(day) => at(day)?,
        None => match at(today)? {
            later if later.timestamp() > now => later,
            _ => at(today.tomorrow().ok()?)?,
        },
    };
    Some(Timestamp::from_millis(stated.timestamp().as_millisecond()))
}

/// `nov 20th, 2026 `, and the rest.
fn parse_day(text: &str) -> Option<(Date, &str)> {
    const MONTHS: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let (month, rest) = text.trim_start().split_once(' ')?;
    let place = MONTHS.iter().position(|name| month.starts_with(name))?;
    let month = i8::try_from(place + 1).ok()?;
    let (number, rest) = parse_number(rest)?;
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let rest = rest.trim_start_matches([',', ' ']);
    let (year, rest) = number_of_digits(rest, 4)?;
    let date = Date::new(i16::try_from(year).ok()?, month, i8::try_from(number).ok()?).ok()?;
    Some((date, rest.trim_start_matches([',', ' '])))
}

/// `3pm`, `3:05 pm` or `17:30`, and the rest.
fn parse_time(text: &str) -> Option<(Time, &str)> {
    let (hour, rest) = parse_number(text)?;
    let (minute, rest) = match rest.strip_prefix(':') {
        Some(rest) => {
            let (minute, rest) = parse_number(rest)?;
            (Some(minute), rest)
        }
        None => (None, rest),
    };
    let after = rest.trim_start();
    let half = after.get(..2).filter(|half| matches!(*half, "am" | "pm"));
    let hour = match half {
        Some(_) if !(1..=12).contains(&hour) => return None,
        Some("am") => hour % 12,
        Some(_) => hour % 12 + 12,
        // A bare number is not a time.
        None => minute.map(|_| hour)?,
    };
    let time = Time::new(i8::try_from(hour).ok()?, i8::try_from(minute.unwrap_or(0)).ok()?, 0, 0);
    let after = if half.is_some() { after.get(2..)? } else { after };
    Some((time.ok()?, after))
}

/// The zone after a time: `utc`, or a name in parentheses. An unknown zone makes the time invalid.
fn parse_zone(after: &str) -> Option<Option<TimeZone>> {
    let word = after.trim_start();
    if let Some(rest) = word.strip_prefix('(') {
        let (name, _) = rest.split_once(')')?;
        return Some(TimeZone::get(name.trim()).ok());
    }
    word.starts_with("utc").then_some(Some(TimeZone::UTC))
}

fn parse_number(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at_checked(end)?;
    Some((digits.parse().ok()?, rest))
}

fn number_of_digits(text: &str, digits: usize) -> Option<(u32, &str)> {
    let (found, rest) = parse_number(text)?;
    (text.len() - rest.len() == digits).then_some((found, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 86_400_000;
    // 2023-11-14T22:13:20Z
    const NOW: Timestamp = Timestamp::from_millis(1_700_000_000_000);

    #[test]
    fn e_9_stated_times_are_understood() {
        let after = |millis| Some(Timestamp::from_millis(NOW.millis() + millis));
        for (text, expected) in [
            ("usage limit reached|1749924000", Some(Timestamp::from_millis(1_749_924_000_000))),
            ("or try again in 3 days 4 hours 5 minutes.", after(273_900_000)),
            ("Please retry in 34.07s.", after(34_070)),
            ("Please try again in 1h30m", after(5_400_000)),
            ("429, retry-after: 30", after(30_000)),
            ("resets at 2023-11-15T00:00:00Z.", after(6_400_000)),
            ("hit your limit · resets 11pm (UTC)", after(2_800_000)),
            ("try again at 22:00 UTC", after(DAY - 800_000)),
        ] {
            assert_eq!(reset_time(text, NOW), expected, "{text}");
        }
    }

    /// The time is 23:13 in Berlin, on the fourteenth.
    #[test]
    fn issue_13_13_a_clock_time_is_one_of_this_machine() {
        let berlin = TimeZone::fixed(jiff::tz::offset(1));
        let after = |millis| Some(Timestamp::from_millis(NOW.millis() + millis));
        for (text, expected) in [
            ("You've hit your usage limit. Try again at 11:30 PM.", after(1_000_000)),
            ("usage limit … try again at 11:05 PM.", after(DAY - 500_000)),
            ("or try again at Nov 15th, 2023 12:13 AM.", after(3_580_000)),
            ("try again at Nov 15, 2023, 12:13 AM", after(3_580_000)),
            ("hit your limit · resets 11:30pm", after(1_000_000)),
            ("resets 11:30pm (UTC)", after(4_600_000)),
        ] {
            assert_eq!(reset_time_here(text, NOW, &berlin), expected, "{text}");
        }
    }

    #[test]
    fn issue_13_13_a_named_zone_counts() {
        // 15:00 in Berlin on the fifteenth is 14:00 UTC.
        let expected = Timestamp::from_millis(NOW.millis() + 56_800_000);
        let found = reset_time("hit your limit · resets 3pm (Europe/Berlin)", NOW);
        assert_eq!(found, Some(expected));
        assert_eq!(reset_time("resets 3pm (Middle/Earth)", NOW), None);
    }

    #[test]
    fn e_9_what_is_not_stated_is_not_guessed() {
        for text in [
            "rate limit",
            "try again later",
            "resets 3 times",
            "try again at your leisure",
            "a|b|c",
            "again in 99999999999999999999 days",
            "resets 99pm utc",
            "wait for 3 items",
            "|1",
        ] {
            assert_eq!(reset_time(text, NOW), None, "{text}");
        }
    }
}
