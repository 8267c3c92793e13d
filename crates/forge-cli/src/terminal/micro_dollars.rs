//! Parses and prints amounts of money.

use std::fmt;
use std::str::FromStr;

/// An amount in millionths of a US dollar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MicroDollars(pub(crate) u64);

impl FromStr for MicroDollars {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const WRONG: &str = "write dollars as 2 or 2.50, with at most six places";
        let text = text.strip_prefix('$').unwrap_or(text);
        let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
        let digits =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(whole) || !digits(part) || part.len() > 6 {
            return Err(WRONG);
        }
        let whole: u64 = whole.parse().map_err(|_| WRONG)?;
        let part: u64 = format!("{part:0<6}").parse().map_err(|_| WRONG)?;
        whole
            .checked_mul(1_000_000)
            .and_then(|whole| whole.checked_add(part))
            .map(Self)
            .ok_or(WRONG)
    }
}

impl fmt::Display for MicroDollars {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (self.0 / 1_000_000, self.0 % 1_000_000);
        if part.is_multiple_of(10_000) {
            write!(f, "${whole}.{:02}", part / 10_000)
        } else {
            write!(f, "${whole}.{:04}", part / 100)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e_8_dollars_are_read_exactly() {
        for (text, micro) in
            [("2", 2_000_000), ("$2.5", 2_500_000), ("0.000001", 1), ("10.00", 10_000_000)]
        {
            assert_eq!(text.parse(), Ok(MicroDollars(micro)), "{text}");
        }
        for wrong in ["", ".", "1.", ".5", "-1", "1e3", "1.0000001", "99999999999999", "two"] {
            assert!(wrong.parse::<MicroDollars>().is_err(), "{wrong}");
        }
        assert_eq!(MicroDollars(2_500_000).to_string(), "$2.50");
        assert_eq!(MicroDollars(2_512_345).to_string(), "$2.5123");
    }
}
