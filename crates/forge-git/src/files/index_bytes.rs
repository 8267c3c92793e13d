use crate::files::unsupported::Unsupported;

/// A reader of the numbers and texts of an index.
#[derive(Debug)]
pub(crate) struct IndexBytes<'a>(pub(crate) &'a [u8]);

impl<'a> IndexBytes<'a> {
    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], Unsupported> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or_else(end_of_index)?;
        self.0 = rest;
        Ok(taken)
    }

    pub(crate) fn word(&mut self) -> Result<u32, Unsupported> {
        let bytes = self.take(4)?.try_into().map_err(|_| end_of_index())?;
        Ok(u32::from_be_bytes(bytes))
    }

    pub(crate) fn half(&mut self) -> Result<u16, Unsupported> {
        let bytes = self.take(2)?.try_into().map_err(|_| end_of_index())?;
        Ok(u16::from_be_bytes(bytes))
    }

    /// Up to a byte, which is taken too.
    pub(crate) fn until(&mut self, end: u8) -> Result<&'a [u8], Unsupported> {
        let length = self.0.iter().position(|byte| *byte == end).ok_or_else(end_of_index)?;
        let taken = self.take(length)?;
        self.take(1)?;
        Ok(taken)
    }

    /// A decimal number and the byte after it.
    pub(crate) fn number(&mut self, end: u8) -> Result<i64, Unsupported> {
        let text = std::str::from_utf8(self.until(end)?).map_err(Unsupported::new)?;
        text.parse().map_err(Unsupported::new)
    }
}

fn end_of_index() -> Unsupported {
    Unsupported::new("the index ends in the middle")
}
