use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::files::index_entry_stat::IndexEntryStat;
use crate::files::plain_index::{PlainIndex, parent_directories};
use crate::files::tree_update::MOST_PATHS;
use crate::files::unsupported::Unsupported;
use crate::fs::confined_dir::ConfinedDir;

/// The tracked files that are gone or whose metadata is not what the index remembers. A listed file may have the same
/// content; a changed one is always listed.
///
/// `git ls-files --modified` takes 7 ms of a processor on 5,000 files. With this comparison instead, a journal entry
/// takes 1.23 times as long as `git status` and not 1.34 times (in memory), or 19 ms and not 22 (on a busy disk); one
/// `ls-files` for changed and untracked files took 1.45 times.
pub(crate) async fn find_changed_files(
    ground: ConfinedDir,
    index: PathBuf,
) -> Result<Vec<Vec<u8>>, Unsupported> {
    let comparing = tokio::task::spawn_blocking(move || compare(&ground, &index));
    comparing.await.map_err(Unsupported::new)?
}

fn compare(ground: &ConfinedDir, path: &Path) -> Result<Vec<Vec<u8>>, Unsupported> {
    let written = std::fs::symlink_metadata(path)?.mtime();
    let index = PlainIndex::load(path)?;
    let mut changed = Vec::new();
    for files in index
        .entries
        .chunk_by(|(one, _), (other, _)| directory_of(&one.path) == directory_of(&other.path))
    {
        let directory = files.first().map_or(&b""[..], |(file, _)| directory_of(&file.path));
        let below = match directory {
            b"" => None,
            directory => Some(ground.directory(Path::new(OsStr::from_bytes(directory)))),
        };
        for (file, stamp) in files {
            let name = OsStr::from_bytes(
                file.path.rsplit(|byte| *byte == b'/').next().unwrap_or(&file.path),
            );
            let found = match &below {
                None => ground.stat(name).ok(),
                Some(directory) => {
                    directory.as_ref().ok().and_then(|directory| directory.stat(name).ok())
                }
            };
            let is_same = found.is_some_and(|found| {
                // Git, too, compares a file that is as new as the index: it may have changed within the same second.
                found.st_mtime < written && IndexEntryStat::of(&found).is_same_file(*stamp)
            });
            if !is_same {
                changed.push(file.path.clone());
            }
        }
        if changed.len() > MOST_PATHS {
            return Err(Unsupported::new("many files changed"));
        }
    }
    Ok(changed)
}

fn directory_of(path: &[u8]) -> &[u8] {
    parent_directories(path).next().unwrap_or_default()
}
