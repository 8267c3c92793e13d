//! Durations as users write them.

/// Parses `90`, `90s`, `30m`, `2h` or `1d` into seconds.
pub(crate) fn parse_duration(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is not a duration; write 90s, 30m, 2h or 1d");
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit: u64 = match text.get(digits.len()..) {
        Some("" | "s") => 1,
        Some("m") => 60,
        Some("h") => 3600,
        Some("d") => 86_400,
        _ => return Err(wrong()),
    };
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    match number.checked_mul(unit) {
        Some(seconds) if seconds > 0 => Ok(seconds),
        _ => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    #[test]
    fn t_3_a_deadline_is_a_number_with_a_unit() {
        for (text, seconds) in
            [("90", 90), ("90s", 90), ("30m", 1800), ("2h", 7200), ("1d", 86_400)]
        {
            assert_eq!(parse_duration(text), Ok(seconds));
        }
        for text in ["", "m", "0m", "-1m", "1.5h", "30 m", "30min", "3µ", "99999999999999999999d"]
        {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }
}
