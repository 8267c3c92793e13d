//! When an allowance is back, from the words of the program that ran out of it.

use forge_domain::Timestamp;

const DAY: i64 = 86_400_000;

/// The stated time, in any of the ways the programs state it. A clock time counts only with UTC beside it: a guess about
/// the zone could be hours off.
pub(crate) fn reset_time(text: &str, now: Timestamp) -> Option<Timestamp> {
    epoch(text)
        .or_else(|| date(text))
        .or_else(|| span(&text.to_lowercase()).map(|millis| later(now, millis)))
        .or_else(|| clock(&text.to_lowercase(), now))
}

fn later(now: Timestamp, millis: i64) -> Timestamp {
    Timestamp::from_millis(now.millis().saturating_add(millis))
}

/// `…reached|1749924000`, in seconds or milliseconds.
fn epoch(text: &str) -> Option<Timestamp> {
    let (_, rest) = text.rsplit_once('|')?;
    let digits: String = rest.trim_start().chars().take_while(char::is_ascii_digit).collect();
    let number: i64 = digits.parse().ok()?;
    match digits.len() {
        10 => Some(Timestamp::from_millis(number.checked_mul(1000)?)),
        13 => Some(Timestamp::from_millis(number)),
        _ => None,
    }
}

/// A timestamp of RFC 3339.
fn date(text: &str) -> Option<Timestamp> {
    let words = text.split(|c: char| c.is_whitespace() || "\"'(),;".contains(c));
    words
        .filter(|word| word.len() >= 20 && word.contains('T'))
        .find_map(|word| word.trim_end_matches('.').parse::<jiff::Timestamp>().ok())
        .map(|at| Timestamp::from_millis(at.as_millisecond()))
}

/// `try again in 3 days 4 hours`, `retry in 34.07s`, `retry-after: 30`.
fn span(low: &str) -> Option<i64> {
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
        duration(rest, bare_is_seconds)
    })
}

fn duration(text: &str, bare_is_seconds: bool) -> Option<i64> {
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
            return if seconds { whole(number * 1000.0) } else { total };
        };
        total = Some(total.unwrap_or(0_i64).saturating_add(whole(number * millis)?));
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

/// Longer than a year is no reset time.
fn whole(millis: f64) -> Option<i64> {
    (0.0..=366.0 * 86_400_000.0).contains(&millis).then_some(millis.ceil() as i64)
}

/// `resets 3pm (UTC)`, `try again at 17:30 UTC`: the next such time.
fn clock(low: &str, now: Timestamp) -> Option<Timestamp> {
    if !low.contains("utc") {
        return None;
    }
    let rest = ["resets at ", "resets ", "again at ", "reset at "]
        .iter()
        .find_map(|lead| low.split_once(lead).map(|(_, rest)| rest))?;
    let digits = rest.find(|c: char| !c.is_ascii_digit() && c != ':').unwrap_or(rest.len());
    let (time, after) = rest.split_at_checked(digits)?;
    let (hour, minute) = time.split_once(':').unwrap_or((time, "0"));
    let (hour, minute): (i64, i64) = (hour.parse().ok()?, minute.parse().ok()?);
    let after = after.trim_start();
    let hour = match after.get(..2) {
        Some("am" | "pm") if !(1..=12).contains(&hour) => return None,
        Some("am") => hour % 12,
        Some("pm") => hour % 12 + 12,
        _ => hour,
    };
    if !(0..24).contains(&hour) || !(0..60).contains(&minute) {
        return None;
    }
    let midnight = now.millis().div_euclid(DAY) * DAY;
    let today = midnight + (hour * 60 + minute) * 60_000;
    Some(Timestamp::from_millis(if today > now.millis() { today } else { today + DAY }))
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn e_9_what_is_not_stated_is_not_guessed() {
        for text in [
            "rate limit",
            "try again later",
            "resets 3pm (Europe/Berlin)",
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
