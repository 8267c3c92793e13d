use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rustix::fs::{FileType, fstat};

use crate::command::low_priority::lower_thread_priority;
use crate::files::declined::Declined;
use crate::files::index::above;
use crate::files::listing::{File, FileKind};
use crate::files::objects::Objects;
use crate::files::stamp::Stamp;
use crate::fs::confined_dir::ConfinedDir;

/// How many files of one directory a thread takes at a time.
const SHARE: usize = 16;
const MOST_THREADS: usize = 8;

/// How much of the machine may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pace {
    /// A caller waits for the files.
    Hurried,
    /// No caller waits, so other work goes first.
    Background,
}

/// Puts files into a directory, several at a time.
#[derive(Debug)]
pub(crate) struct Writer<'a> {
    pub(crate) ground: &'a ConfinedDir,
    pub(crate) pace: Pace,
    /// The caller was cancelled.
    pub(crate) stopped: &'a AtomicBool,
    /// Files that are there and get other content.
    pub(crate) rewritten: &'a BTreeSet<Vec<u8>>,
}

/// Files of one directory that stand together in the list, and the place of the first.
#[derive(Debug, Clone, Copy)]
struct Share<'a> {
    directory: &'a [u8],
    first: usize,
    files: &'a [File],
}

impl Writer<'_> {
    /// Writes the files: what each of them looks like now, in the same order.
    pub(crate) fn write(&self, objects: &Objects, files: &[File]) -> Result<Vec<Stamp>, Declined> {
        let shares = shares(files);
        let mut stamps = vec![Stamp::default(); files.len()];
        for (place, stamp) in self.share_out(objects, &shares)? {
            if let Some(slot) = stamps.get_mut(place) {
                *slot = stamp;
            }
        }
        // Last, so that no directory on the way of a file is one.
        for (file, slot) in files.iter().zip(&mut stamps).filter(|(file, _)| is_link(file)) {
            *slot = self.link(objects, file)?;
        }
        Ok(stamps)
    }

    fn share_out(
        &self,
        objects: &Objects,
        shares: &[Share<'_>],
    ) -> Result<Vec<(usize, Stamp)>, Declined> {
        let (threads, next) = (self.threads(shares.len()), AtomicUsize::new(0));
        let work = &|objects: &Objects| -> Result<Vec<(usize, Stamp)>, Declined> {
            if self.pace == Pace::Background {
                lower_thread_priority();
            }
            let (mut written, mut buffer, mut directory) = (Vec::new(), Vec::new(), None);
            while let Some(share) = shares.get(next.fetch_add(1, Ordering::Relaxed)) {
                if self.stopped.load(Ordering::Relaxed) {
                    return Err(Declined::new("the caller was cancelled"));
                }
                // Mostly the same directory as that of the last share.
                let (_, ground) = match directory
                    .take()
                    .filter(|(path, _)| *path == share.directory)
                {
                    Some(same) => directory.insert(same),
                    None => directory.insert((share.directory, self.directory(share.directory)?)),
                };
                let ground = ground.as_ref().unwrap_or(self.ground);
                for (place, file) in (share.first..).zip(share.files) {
                    if !is_link(file) {
                        let mut opened = self.open(file, ground)?;
                        let content = objects.blob(&file.id, &mut buffer)?;
                        written.push((place, fill(&mut opened, content)?));
                    }
                }
            }
            Ok(written)
        };
        std::thread::scope(|scope| {
            let helper = |_| {
                let objects = objects.clone();
                scope.spawn(move || work(&objects))
            };
            // What runs in the background lowers its priority for good, so the calling thread has no part in that.
            let own = usize::from(self.pace == Pace::Hurried);
            let helpers: Vec<_> = (own..threads).map(helper).collect();
            let mut written = match self.pace {
                Pace::Hurried => work(objects)?,
                Pace::Background => Vec::new(),
            };
            for helper in helpers {
                let done = helper.join().map_err(|_| Declined::new("a thread gave up"))?;
                written.extend(done?);
            }
            Ok(written)
        })
    }

    /// How many threads have a part in it.
    fn threads(&self, shares: usize) -> usize {
        // Asking takes about as long as ten files.
        static CORES: LazyLock<usize> =
            LazyLock::new(|| std::thread::available_parallelism().map_or(1, usize::from));
        match self.pace {
            Pace::Hurried => (*CORES).min(MOST_THREADS).min(shares).max(1),
            Pace::Background => 1,
        }
    }

    /// The directory of a file, if it is another one than the top.
    fn directory(&self, path: &[u8]) -> Result<Option<ConfinedDir>, Declined> {
        if path.is_empty() {
            return Ok(None);
        }
        Ok(Some(self.ground.make_directory(Path::new(OsStr::from_bytes(path)))?))
    }

    /// Creates a file, or opens the one that is to be rewritten.
    fn open(&self, file: &File, ground: &ConfinedDir) -> Result<std::fs::File, Declined> {
        if let Some(old) = self.reopened(ground, file)? {
            return Ok(old);
        }
        let mode = if file.kind == FileKind::Executable { 0o777 } else { 0o666 };
        Ok(ground.create_new(name_of(file), mode)?)
    }

    /// The old file where its content can be replaced, which is much cheaper than a new one; else none is there any
    /// more. A file with a second name (hard link) belongs to another directory too.
    fn reopened(
        &self,
        ground: &ConfinedDir,
        file: &File,
    ) -> Result<Option<std::fs::File>, Declined> {
        const EXECUTABLE: u32 = 0o100;
        if !self.rewritten.contains(&file.path) {
            return Ok(None);
        }
        let name = name_of(file);
        if let Ok(old) = ground.open_to_write(name)
            && let Ok(stat) = fstat(&old)
            && FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile
            && stat.st_nlink == 1
            && (stat.st_mode & EXECUTABLE != 0) == (file.kind == FileKind::Executable)
        {
            return Ok(Some(old));
        }
        ground.remove_file(Path::new(name))?;
        Ok(None)
    }

    fn link(&self, objects: &Objects, file: &File) -> Result<Stamp, Declined> {
        let directory = self.directory(above(&file.path).next().unwrap_or_default())?;
        let (ground, name) = (directory.as_ref().unwrap_or(self.ground), name_of(file));
        let mut buffer = Vec::new();
        let target = OsStr::from_bytes(objects.blob(&file.id, &mut buffer)?);
        if !ground.make_link(Path::new(target), name)? {
            return Err(Declined::path("something is in its place", &file.path));
        }
        Ok(Stamp::of(&ground.stat(name)?))
    }
}

/// Gives a file its content.
fn fill(file: &mut std::fs::File, content: &[u8]) -> Result<Stamp, Declined> {
    file.write_all(content)?;
    let mut stat = fstat(&*file)?;
    let length = u64::try_from(content.len()).unwrap_or(u64::MAX);
    if u64::try_from(stat.st_size).is_ok_and(|size| size != length) {
        // Not before: a file that is emptied first is written to the disk as soon as it is closed.
        file.set_len(length)?;
        stat = fstat(&*file)?;
    }
    Ok(Stamp::of(&stat))
}

/// The list cut where the directory changes, and where one thread would have too much.
fn shares(files: &[File]) -> Vec<Share<'_>> {
    let directory = |file: &File| file.path.len() - name_of(file).len();
    let together = files.chunk_by(|one, other| {
        let length = directory(one);
        length == directory(other) && one.path.get(..length) == other.path.get(..length)
    });
    let mut shares: Vec<Share<'_>> = Vec::new();
    for files in together.flat_map(|files| files.chunks(SHARE)) {
        let first = shares.last().map_or(0, |share| share.first + share.files.len());
        let directory = files.first().and_then(|file| above(&file.path).next());
        shares.push(Share { directory: directory.unwrap_or_default(), first, files });
    }
    shares
}

fn is_link(file: &File) -> bool {
    file.kind == FileKind::Link
}

fn name_of(file: &File) -> &OsStr {
    let name = file.path.rsplit(|byte| *byte == b'/').next();
    OsStr::from_bytes(name.unwrap_or_default())
}
