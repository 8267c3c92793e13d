//! Compressed logs with random access: zstd frames, each after a skippable frame with its length and unit count. Any
//! zstd program can decompress the whole file.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

const LEVEL: i32 = 3;
/// Bytes per frame: enough to compress well, few enough to read for one page.
const FRAME: usize = 256 * 1024;
const SKIPPABLE: u32 = 0x184D_2A50;
const NOTE: u32 = 12;

/// The unit that a log position counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LogUnit {
    Byte,
    Line,
}

/// Compresses a file; the new file gets its name only when complete.
pub(crate) fn pack(plain: &Path, packed: &Path, unit: LogUnit) -> io::Result<()> {
    let mut input = BufReader::with_capacity(FRAME, File::open(plain)?);
    let unfinished = packed.with_extension("zst.new");
    let mut output = File::create(&unfinished)?;
    let mut chunk = Vec::new();
    while next_chunk(&mut input, unit, &mut chunk)? > 0 {
        let count = match unit {
            LogUnit::Byte => chunk.len(),
            LogUnit::Line => chunk.iter().filter(|byte| **byte == b'\n').count(),
        };
        let frame = zstd::bulk::compress(&chunk, LEVEL)?;
        let count = u32::try_from(count).map_err(io::Error::other)?;
        let mut note = Vec::with_capacity(20);
        note.extend(SKIPPABLE.to_le_bytes());
        note.extend(NOTE.to_le_bytes());
        note.extend(count.to_le_bytes());
        note.extend((frame.len() as u64).to_le_bytes());
        output.write_all(&note)?;
        output.write_all(&frame)?;
        chunk.clear();
    }
    output.sync_all()?;
    fs::rename(unfinished, packed)
}

/// Reads bytes up to the frame size, or whole lines until it is reached.
fn next_chunk(input: &mut impl BufRead, unit: LogUnit, chunk: &mut Vec<u8>) -> io::Result<usize> {
    match unit {
        LogUnit::Byte => input.take(FRAME as u64).read_to_end(chunk),
        LogUnit::Line => {
            while chunk.len() < FRAME && input.read_until(b'\n', chunk)? > 0 {}
            Ok(chunk.len())
        }
    }
}

/// A compressed log being read.
#[derive(Debug)]
pub(crate) struct PackedLog {
    file: File,
}

/// One compressed frame.
#[derive(Debug)]
pub(crate) struct PackedFrame {
    /// Number of units in the frame.
    pub(crate) count: u64,
    length: u64,
}

impl PackedLog {
    pub(crate) fn new(file: File) -> Self {
        Self { file }
    }

    /// The next frame header; read or skip the frame before calling again.
    pub(crate) fn next(&mut self) -> io::Result<Option<PackedFrame>> {
        let mut note = [0; 20];
        match self.file.read_exact(&mut note) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            read => read?,
        }
        let (head, length) = note.split_at(12);
        let (head, count) = head.split_at(8);
        let (magic, size) = head.split_at(4);
        let number = |bytes: &[u8]| bytes.try_into().map(u32::from_le_bytes).unwrap_or_default();
        if number(magic) != SKIPPABLE || number(size) != NOTE {
            return Err(io::Error::other("the log is not one that Forge compressed"));
        }
        let length = length.try_into().map(u64::from_le_bytes).unwrap_or_default();
        Ok(Some(PackedFrame { count: u64::from(number(count)), length }))
    }

    pub(crate) fn skip(&mut self, frame: &PackedFrame) -> io::Result<()> {
        let by = i64::try_from(frame.length).map_err(io::Error::other)?;
        self.file.seek(SeekFrom::Current(by)).map(drop)
    }

    pub(crate) fn read(&mut self, frame: &PackedFrame) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        (&mut self.file).take(frame.length).read_to_end(&mut bytes)?;
        zstd::stream::decode_all(bytes.as_slice())
    }

    /// The total number of units. Rewind before reading further.
    pub(crate) fn total(&mut self) -> io::Result<u64> {
        let mut total = 0;
        while let Some(frame) = self.next()? {
            total += frame.count;
            self.skip(&frame)?;
        }
        Ok(total)
    }

    pub(crate) fn rewind(&mut self) -> io::Result<()> {
        self.file.rewind()
    }
}
