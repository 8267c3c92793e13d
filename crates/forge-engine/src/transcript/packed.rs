//! Compressed logs that can be entered in the middle: zstd frames, each behind a skippable frame that says how much is in
//! it. Any zstd program reads such a file as a whole.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

const LEVEL: i32 = 3;
/// How much goes into a frame: enough to compress well, little enough to read for one page.
const FRAME: usize = 256 * 1024;
const SKIPPABLE: u32 = 0x184D_2A50;
const NOTE: u32 = 12;

/// What a place in a log counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Byte,
    Line,
}

/// Compresses a file; the new one stands under its name only when it is complete.
pub(super) fn pack(plain: &Path, packed: &Path, unit: Unit) -> io::Result<()> {
    let mut input = BufReader::with_capacity(FRAME, File::open(plain)?);
    let unfinished = packed.with_extension("zst.new");
    let mut output = File::create(&unfinished)?;
    let mut chunk = Vec::new();
    while next_chunk(&mut input, unit, &mut chunk)? > 0 {
        let count = match unit {
            Unit::Byte => chunk.len(),
            Unit::Line => chunk.iter().filter(|byte| **byte == b'\n').count(),
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

/// Bytes up to a frame's size, or whole lines until it is reached.
fn next_chunk(input: &mut impl BufRead, unit: Unit, chunk: &mut Vec<u8>) -> io::Result<usize> {
    match unit {
        Unit::Byte => input.take(FRAME as u64).read_to_end(chunk),
        Unit::Line => {
            while chunk.len() < FRAME && input.read_until(b'\n', chunk)? > 0 {}
            Ok(chunk.len())
        }
    }
}

/// A compressed log that is being read.
#[derive(Debug)]
pub(super) struct Packed {
    file: File,
}

/// One frame, still compressed.
#[derive(Debug)]
pub(super) struct Frame {
    /// How many units are in it.
    pub(super) count: u64,
    length: u64,
}

impl Packed {
    pub(super) fn new(file: File) -> Self {
        Self { file }
    }

    /// The next frame; read or skip it before the one after.
    pub(super) fn next(&mut self) -> io::Result<Option<Frame>> {
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
        Ok(Some(Frame { count: u64::from(number(count)), length }))
    }

    pub(super) fn skip(&mut self, frame: &Frame) -> io::Result<()> {
        let by = i64::try_from(frame.length).map_err(io::Error::other)?;
        self.file.seek(SeekFrom::Current(by)).map(drop)
    }

    pub(super) fn read(&mut self, frame: &Frame) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        (&mut self.file).take(frame.length).read_to_end(&mut bytes)?;
        zstd::stream::decode_all(bytes.as_slice())
    }

    /// How many units there are in all. Begin anew afterwards.
    pub(super) fn total(&mut self) -> io::Result<u64> {
        let mut total = 0;
        while let Some(frame) = self.next()? {
            total += frame.count;
            self.skip(&frame)?;
        }
        Ok(total)
    }

    pub(super) fn rewind(&mut self) -> io::Result<()> {
        self.file.rewind()
    }
}
