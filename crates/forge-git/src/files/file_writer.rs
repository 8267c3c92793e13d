use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rustix::fs::{FileType, fstat};

use crate::command::low_priority::lower_thread_priority;
use crate::files::index_entry_stat::IndexEntryStat;
use crate::files::object_database::ObjectDatabase;
use crate::files::plain_index::parent_directories;
use crate::files::tree_listing::{FileKind, TreeFile};
use crate::files::unsupported::Unsupported;
use crate::fs::confined_dir::ConfinedDir;

/// How many files of one directory a thread takes at a time.
const BATCH_SIZE: usize = 16;
const MOST_THREADS: usize = 8;

/// How much of the machine a checkout may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CheckoutPriority {
    /// A caller waits for the files.
    Foreground,
    /// No caller waits, so other work goes first.
    Background,
}

/// Writes files into a directory, on several threads.
#[derive(Debug)]
pub(crate) struct FileWriter<'a> {
    pub(crate) ground: &'a ConfinedDir,
    pub(crate) priority: CheckoutPriority,
    /// The caller was cancelled.
    pub(crate) stopped: &'a AtomicBool,
    /// Existing files that get other content.
    pub(crate) rewritten: &'a BTreeSet<Vec<u8>>,
}

/// Consecutive files of one directory, and the position of the first in the list.
#[derive(Debug, Clone, Copy)]
struct FileBatch<'a> {
    directory: &'a [u8],
    first: usize,
    files: &'a [TreeFile],
}

impl FileWriter<'_> {
    /// Writes the files. Returns the metadata of each, in the same order.
    pub(crate) fn write(
        &self,
        objects: &ObjectDatabase,
        files: &[TreeFile],
    ) -> Result<Vec<IndexEntryStat>, Unsupported> {
        let batches = split_into_batches(files);
        let mut stamps = vec![IndexEntryStat::default(); files.len()];
        for (place, stamp) in self.write_batches(objects, &batches)? {
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

    fn write_batches(
        &self,
        objects: &ObjectDatabase,
        batches: &[FileBatch<'_>],
    ) -> Result<Vec<(usize, IndexEntryStat)>, Unsupported> {
        let (threads, next) = (self.count_threads(batches.len()), AtomicUsize::new(0));
        let work =
            &|objects: &ObjectDatabase| -> Result<Vec<(usize, IndexEntryStat)>, Unsupported> {
                if self.priority == CheckoutPriority::Background {
                    lower_thread_priority();
                }
                let (mut written, mut buffer, mut directory) = (Vec::new(), Vec::new(), None);
                while let Some(batch) = batches.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if self.stopped.load(Ordering::Relaxed) {
                        return Err(Unsupported::new("the caller was cancelled"));
                    }
                    // Mostly the same directory as that of the last batch.
                    let (_, ground) =
                        match directory.take().filter(|(path, _)| *path == batch.directory) {
                            Some(same) => directory.insert(same),
                            None => directory
                                .insert((batch.directory, self.directory(batch.directory)?)),
                        };
                    let ground = ground.as_ref().unwrap_or(self.ground);
                    for (place, file) in (batch.first..).zip(batch.files) {
                        if !is_link(file) {
                            let mut opened = self.open(file, ground)?;
                            let content = objects.blob(&file.id, &mut buffer)?;
                            written.push((place, write_content(&mut opened, content)?));
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
            let own = usize::from(self.priority == CheckoutPriority::Foreground);
            let helpers: Vec<_> = (own..threads).map(helper).collect();
            let mut written = match self.priority {
                CheckoutPriority::Foreground => work(objects)?,
                CheckoutPriority::Background => Vec::new(),
            };
            for helper in helpers {
                let done = helper.join().map_err(|_| Unsupported::new("a thread gave up"))?;
                written.extend(done?);
            }
            Ok(written)
        })
    }

    /// How many threads write the files.
    fn count_threads(&self, batches: usize) -> usize {
        // Asking takes about as long as ten files.
        static CORES: LazyLock<usize> =
            LazyLock::new(|| std::thread::available_parallelism().map_or(1, usize::from));
        match self.priority {
            CheckoutPriority::Foreground => (*CORES).min(MOST_THREADS).min(batches).max(1),
            CheckoutPriority::Background => 1,
        }
    }

    /// The directory of a file, if it is another one than the top.
    fn directory(&self, path: &[u8]) -> Result<Option<ConfinedDir>, Unsupported> {
        if path.is_empty() {
            return Ok(None);
        }
        Ok(Some(self.ground.make_directory(Path::new(OsStr::from_bytes(path)))?))
    }

    /// Creates a file, or opens the one that is to be rewritten.
    fn open(&self, file: &TreeFile, ground: &ConfinedDir) -> Result<std::fs::File, Unsupported> {
        if let Some(old) = self.reopen_file(ground, file)? {
            return Ok(old);
        }
        let mode = if file.kind == FileKind::Executable { 0o777 } else { 0o666 };
        Ok(ground.create_new(name_of(file), mode)?)
    }

    /// The old file where its content can be replaced, which is much cheaper than a new one; else none is there any
    /// more. A file with a second name (hard link) belongs to another directory too.
    fn reopen_file(
        &self,
        ground: &ConfinedDir,
        file: &TreeFile,
    ) -> Result<Option<std::fs::File>, Unsupported> {
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

    fn link(
        &self,
        objects: &ObjectDatabase,
        file: &TreeFile,
    ) -> Result<IndexEntryStat, Unsupported> {
        let directory =
            self.directory(parent_directories(&file.path).next().unwrap_or_default())?;
        let (ground, name) = (directory.as_ref().unwrap_or(self.ground), name_of(file));
        let mut buffer = Vec::new();
        let target = OsStr::from_bytes(objects.blob(&file.id, &mut buffer)?);
        if !ground.make_link(Path::new(target), name)? {
            return Err(Unsupported::path("something is in its place", &file.path));
        }
        Ok(IndexEntryStat::of(&ground.stat(name)?))
    }
}

/// Writes the content of a file.
fn write_content(file: &mut std::fs::File, content: &[u8]) -> Result<IndexEntryStat, Unsupported> {
    file.write_all(content)?;
    let mut stat = fstat(&*file)?;
    let length = u64::try_from(content.len()).unwrap_or(u64::MAX);
    if u64::try_from(stat.st_size).is_ok_and(|size| size != length) {
        // Not before: a file that is emptied first is written to the disk as soon as it is closed.
        file.set_len(length)?;
        stat = fstat(&*file)?;
    }
    Ok(IndexEntryStat::of(&stat))
}

/// Splits the list where the directory changes and where one thread would have too many files.
fn split_into_batches(files: &[TreeFile]) -> Vec<FileBatch<'_>> {
    let directory = |file: &TreeFile| file.path.len() - name_of(file).len();
    let together = files.chunk_by(|one, other| {
        let length = directory(one);
        length == directory(other) && one.path.get(..length) == other.path.get(..length)
    });
    let mut batches: Vec<FileBatch<'_>> = Vec::new();
    for files in together.flat_map(|files| files.chunks(BATCH_SIZE)) {
        let first = batches.last().map_or(0, |batch| batch.first + batch.files.len());
        let directory = files.first().and_then(|file| parent_directories(&file.path).next());
        batches.push(FileBatch { directory: directory.unwrap_or_default(), first, files });
    }
    batches
}

fn is_link(file: &TreeFile) -> bool {
    file.kind == FileKind::Link
}

fn name_of(file: &TreeFile) -> &OsStr {
    let name = file.path.rsplit(|byte| *byte == b'/').next();
    OsStr::from_bytes(name.unwrap_or_default())
}
