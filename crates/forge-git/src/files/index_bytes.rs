use crate::files::declined::Declined;

/// A reader of the numbers and texts of an index.
#[derive(Debug)]
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

impl<'a> Bytes<'a> {
    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], Declined> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or_else(ended)?;
        self.0 = rest;
        Ok(taken)
    }

    pub(crate) fn word(&mut self) -> Result<u32, Declined> {
        let bytes = self.take(4)?.try_into().map_err(|_| ended())?;
        Ok(u32::from_be_bytes(bytes))
    }

    pub(crate) fn half(&mut self) -> Result<u16, Declined> {
        let bytes = self.take(2)?.try_into().map_err(|_| ended())?;
        Ok(u16::from_be_bytes(bytes))
    }

    /// Up to a byte, which is taken too.
    pub(crate) fn until(&mut self, end: u8) -> Result<&'a [u8], Declined> {
        let length = self.0.iter().position(|byte| *byte == end).ok_or_else(ended)?;
        let taken = self.take(length)?;
        self.take(1)?;
        Ok(taken)
    }

    /// A decimal number and the byte after it.
    pub(crate) fn number(&mut self, end: u8) -> Result<i64, Declined> {
        let text = std::str::from_utf8(self.until(end)?).map_err(Declined::new)?;
        text.parse().map_err(Declined::new)
    }
}

fn ended() -> Declined {
    Declined::new("the index ends in the middle")
}
