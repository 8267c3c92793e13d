use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rustix::fs::{FileType, fstat};

use super::assembly::Assembly;
use super::declined::Declined;
use super::index::above;
use super::listing::{File, FileKind};
use super::objects::Objects;
use super::stamp::Stamp;
use crate::beneath::Beneath;
use crate::slow_work::give_way;

/// How many files of one directory a thread takes at a time, and has open.
const SHARE: usize = 4;
const MOST_THREADS: usize = 8;
/// Of so many threads one makes files while the others fill them. Two that make files next to each other have ext4 read
/// the block they share from the disk; one alone finds that nothing is in it yet.
const PER_MAKER: usize = 2;
/// Up to here all threads make files: ext4 reads ahead, so that it is one read or two, and one maker would hold up the rest.
const FEW_SHARES: usize = 256;

/// How much of the machine may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pace {
    /// Somebody waits for it.
    Hurried,
    /// Nobody does, so nobody is to notice it.
    Background,
}

/// Puts files into a directory, several at a time.
#[derive(Debug)]
pub(super) struct Writer<'a> {
    pub(super) ground: &'a Beneath,
    pub(super) pace: Pace,
    /// Somebody lost interest.
    pub(super) stopped: &'a AtomicBool,
    /// Files that are there and get other content.
    pub(super) rewritten: &'a BTreeSet<Vec<u8>>,
}

/// Files that are there and get their content, each with its place in the list.
type Opened<'a> = Vec<(usize, &'a File, std::fs::File)>;

/// Files of one directory that stand together in the list, and the place of the first.
#[derive(Debug, Clone, Copy)]
struct Share<'a> {
    directory: &'a [u8],
    first: usize,
    files: &'a [File],
}

impl Writer<'_> {
    /// Writes the files: what each of them looks like now, in the same order.
    pub(super) fn write(&self, objects: &Objects, files: &[File]) -> Result<Vec<Stamp>, Declined> {
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
        let makers = if shares.len() > FEW_SHARES { threads.div_ceil(PER_MAKER) } else { threads };
        let assembly = Assembly::new(makers);
        let work = &|objects: &Objects, number: usize| -> Result<Vec<(usize, Stamp)>, Declined> {
            if self.pace == Pace::Background {
                give_way();
            }
            let (mut written, mut buffer) = (Vec::new(), Vec::new());
            let mut directory = None;
            let make = || self.make_next(shares, &next, &mut directory);
            let finish = |opened: Opened<'_>| {
                for (place, file, mut made) in opened {
                    let content = objects.blob(&file.id, &mut buffer)?;
                    written.push((place, fill(&mut made, content)?));
                }
                Ok(())
            };
            if number < makers {
                assembly.make(make, finish)?;
            } else {
                assembly.finish(finish)?;
            }
            Ok(written)
        };
        std::thread::scope(|scope| {
            let helper = |number| {
                let objects = objects.clone();
                scope.spawn(move || work(&objects, number))
            };
            // What runs in the background lowers its priority for good, so the calling thread has no part in that.
            let own = usize::from(self.pace == Pace::Hurried);
            let helpers: Vec<_> = (own..threads).map(helper).collect();
            let mut written = match self.pace {
                Pace::Hurried => work(objects, 0)?,
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
    fn directory(&self, path: &[u8]) -> Result<Option<Beneath>, Declined> {
        if path.is_empty() {
            return Ok(None);
        }
        Ok(Some(self.ground.make_directory(Path::new(OsStr::from_bytes(path)))?))
    }

    /// Makes the files of the next share, unless none is left.
    fn make_next<'a>(
        &self,
        shares: &[Share<'a>],
        next: &AtomicUsize,
        directory: &mut Option<(&'a [u8], Option<Beneath>)>,
    ) -> Result<Option<Opened<'a>>, Declined> {
        if self.stopped.load(Ordering::Relaxed) {
            return Err(Declined::new("nobody waits for it any more"));
        }
        let Some(share) = shares.get(next.fetch_add(1, Ordering::Relaxed)) else { return Ok(None) };
        // Mostly the same as the last one's.
        let (_, ground) = match directory.take().filter(|(path, _)| *path == share.directory) {
            Some(same) => directory.insert(same),
            None => directory.insert((share.directory, self.directory(share.directory)?)),
        };
        self.open(share, ground.as_ref().unwrap_or(self.ground)).map(Some)
    }

    /// Makes the files of a share, empty, or opens those that are there.
    fn open<'a>(&self, share: &Share<'a>, ground: &Beneath) -> Result<Opened<'a>, Declined> {
        let mut opened = Vec::with_capacity(share.files.len());
        for (place, file) in (share.first..).zip(share.files).filter(|(_, file)| !is_link(file)) {
            let made = match self.reopened(ground, file)? {
                Some(old) => old,
                None => {
                    let mode = if file.kind == FileKind::Executable { 0o777 } else { 0o666 };
                    ground.create_new(name_of(file), mode)?
                }
            };
            opened.push((place, file, made));
        }
        Ok(opened)
    }

    /// The old file where its content can be replaced, which is much cheaper than a new one; else none is there any
    /// more. One that has a second name is somebody else's too.
    fn reopened(&self, ground: &Beneath, file: &File) -> Result<Option<std::fs::File>, Declined> {
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
