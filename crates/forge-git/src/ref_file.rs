use std::collections::BTreeMap;
use std::io::{ErrorKind, Write};
use std::path::Path;

use crate::object_id::ObjectId;
use crate::ref_name::RefName;

/// What the files of a repository say about a reference, read without starting git.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RefFile {
    /// It names this object.
    At(ObjectId),
    /// There is none.
    Missing,
    /// Only git can tell: another storage, a symbolic reference, a file that cannot be read.
    Unclear,
}

/// Whether references are kept in files. Git leaves a `HEAD` that names no possible branch where they are not.
pub(crate) fn are_files(common_dir: &Path) -> bool {
    std::fs::read(common_dir.join("HEAD")).is_ok_and(|head| !is_placeholder(&head))
}

pub(crate) fn is_placeholder(head: &[u8]) -> bool {
    head.trim_ascii_end() == b"ref: refs/heads/.invalid"
}

/// Looks a reference up as git does: its own file first, then the packed ones. Packing writes the second before it
/// removes the first, so one of them has it.
pub(crate) fn load(common_dir: &Path, name: &RefName) -> RefFile {
    match std::fs::read(common_dir.join(name.as_str())) {
        Ok(content) => parse(&content).map_or(RefFile::Unclear, RefFile::At),
        Err(error) if is_absence(error.kind()) => {
            if !are_files(common_dir) {
                return RefFile::Unclear;
            }
            match packed(common_dir) {
                Some(list) => find(&list, name)
                    .map_or(RefFile::Missing, |id| parse(id).map_or(RefFile::Unclear, RefFile::At)),
                None => RefFile::Unclear,
            }
        }
        Err(_) => RefFile::Unclear,
    }
}

/// Whether a reference has the name, or one beneath it. `None` where only git can tell: an empty directory may be there,
/// or a file that is on its way.
pub(crate) fn is_taken(common_dir: &Path, name: &RefName) -> Option<bool> {
    let beneath =
        common_dir.join(name.as_str()).symlink_metadata().is_ok_and(|found| found.is_dir());
    match load(common_dir, name) {
        RefFile::At(_) => Some(true),
        RefFile::Missing if beneath => None,
        RefFile::Missing => {
            let prefix = format!("{name}/");
            let found = |list: Vec<u8>| {
                entries(&list).any(|(_, found)| found.starts_with(prefix.as_bytes()))
            };
            packed(common_dir).map(found)
        }
        RefFile::Unclear => None,
    }
}

/// The highest number below each name right beneath a prefix, among the packed references. `None` where only git can tell.
pub(crate) fn packed_numbers(common_dir: &Path, prefix: &str) -> Option<BTreeMap<String, u64>> {
    if !are_files(common_dir) {
        return None;
    }
    let mut found = BTreeMap::new();
    for (_, name) in entries(&packed(common_dir)?) {
        let below = std::str::from_utf8(name).ok().and_then(|name| name.strip_prefix(prefix));
        let Some((name, number)) = below.and_then(|below| below.split_once('/')) else { continue };
        if let Ok(number) = number.parse::<u64>() {
            let highest = found.entry(name.to_owned()).or_insert(number);
            *highest = number.max(*highest);
        }
    }
    Some(found)
}

/// Makes a reference that is not there, by git's own protocol: its lock file is made, written, and renamed into place.
/// False, with nothing changed, where git has to be asked instead. The object is known to exist.
pub(crate) fn create(common_dir: &Path, name: &RefName, object: &ObjectId) -> bool {
    if load(common_dir, name) != RefFile::Missing {
        return false;
    }
    let Some(list) = packed(common_dir) else { return false };
    if clashes(&list, name) {
        return false;
    }
    let path = common_dir.join(name.as_str());
    let lock = common_dir.join(format!("{name}.lock"));
    let Some(parent) = path.parent() else { return false };
    if std::fs::create_dir_all(parent).is_err() || path.symlink_metadata().is_ok() {
        return false;
    }
    let Ok(mut file) = std::fs::File::create_new(&lock) else { return false };
    let written = writeln!(file, "{object}").and_then(|()| file.sync_all());
    // Looked at again behind the lock, which every git respects.
    let free = load(common_dir, name) == RefFile::Missing;
    if written.is_err() || !free || std::fs::rename(&lock, &path).is_err() {
        std::fs::remove_file(&lock).ok();
        return false;
    }
    log_creation(common_dir, name, object, &file);
    true
}

/// The entry that `git branch` would write; git keeps none of other references. A history that cannot be written is no reason to fail.
fn log_creation(common_dir: &Path, name: &RefName, object: &ObjectId, file: &std::fs::File) {
    let logs = common_dir.join("logs");
    let path = logs.join(name.as_str());
    if name.branch().is_none() || !logs.is_dir() || path.symlink_metadata().is_ok() {
        return;
    }
    let made = file.metadata().and_then(|made| made.modified()).ok();
    let at = made
        .and_then(|made| made.duration_since(std::time::UNIX_EPOCH).ok())
        .map_or(0, |at| at.as_secs());
    let nothing = "0".repeat(object.as_str().len());
    let line = format!(
        "{nothing} {object} Forge <forge@localhost> {at} +0000\tbranch: Created from {object}\n"
    );
    let written = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    if let Err(error) = written.and_then(|()| std::fs::write(&path, line)) {
        tracing::debug!(%error, "a branch's history could not be begun");
    }
}

fn is_absence(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::IsADirectory)
}

fn parse(content: &[u8]) -> Option<ObjectId> {
    let text = std::str::from_utf8(content.trim_ascii_end()).ok()?;
    ObjectId::new(text).ok()
}

/// The packed references; nothing packed is an empty list.
fn packed(common_dir: &Path) -> Option<Vec<u8>> {
    match std::fs::read(common_dir.join("packed-refs")) {
        Ok(list) => Some(list),
        Err(error) if error.kind() == ErrorKind::NotFound => Some(Vec::new()),
        Err(_) => None,
    }
}

fn entries(list: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    list.split(|byte| *byte == b'\n').filter_map(|line| {
        let space = line.iter().position(|byte| *byte == b' ')?;
        let (id, name) = (line.get(..space)?, line.get(space + 1..)?);
        (!id.starts_with(b"#") && !id.starts_with(b"^")).then_some((id, name))
    })
}

fn find<'a>(list: &'a [u8], name: &RefName) -> Option<&'a [u8]> {
    let wanted = name.as_str().as_bytes();
    entries(list).find_map(|(id, found)| (found == wanted).then_some(id))
}

/// Whether a packed name is a directory of the new one, or has it as one.
fn clashes(list: &[u8], name: &RefName) -> bool {
    let wanted = name.as_str().as_bytes();
    let above = |one: &[u8], other: &[u8]| {
        one.strip_prefix(other).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
    };
    entries(list).any(|(_, found)| above(found, wanted) || above(wanted, found))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    const ONE: &str = "1111111111111111111111111111111111111111";
    const TWO: &str = "2222222222222222222222222222222222222222";

    fn name(text: &str) -> RefName {
        RefName::new(text).expect("a name")
    }

    fn id(text: &str) -> ObjectId {
        ObjectId::new(text).expect("an id")
    }

    fn repository() -> tempfile::TempDir {
        let home = tempfile::tempdir().expect("a directory");
        std::fs::create_dir_all(home.path().join("refs/heads/forge")).expect("made");
        std::fs::write(home.path().join("HEAD"), "ref: refs/heads/main\n").expect("written");
        std::fs::write(home.path().join("refs/heads/main"), format!("{ONE}\n")).expect("written");
        let packed = format!("# pack-refs\n{TWO} refs/heads/main\n{TWO} refs/heads/old\n^{ONE}\n");
        std::fs::write(home.path().join("packed-refs"), packed).expect("written");
        home
    }

    #[test]
    fn w_15_a_reference_is_read_where_git_keeps_it() {
        let home = repository();
        let load = |text: &str| load(home.path(), &name(text));
        assert_eq!(load("refs/heads/main"), RefFile::At(id(ONE)));
        assert_eq!(load("refs/heads/old"), RefFile::At(id(TWO)));
        assert_eq!(load("refs/heads/forge"), RefFile::Missing);
        assert_eq!(load("refs/heads/main/below"), RefFile::Missing);
        std::fs::write(home.path().join("refs/heads/symbolic"), "ref: refs/heads/main\n")
            .expect("written");
        assert_eq!(load("refs/heads/symbolic"), RefFile::Unclear);
        std::fs::write(home.path().join("HEAD"), "ref: refs/heads/.invalid\n").expect("written");
        assert_eq!(load("refs/heads/none"), RefFile::Unclear);
        let gone = Path::new("/nonexistent");
        assert_eq!(super::load(gone, &name("refs/heads/main")), RefFile::Unclear);
    }

    #[test]
    fn t_24_a_reference_is_made_only_where_nothing_stands_in_its_way() {
        let home = repository();
        let create = |text: &str| create(home.path(), &name(text), &id(ONE));
        assert!(create("refs/heads/forge/1"));
        assert!(!create("refs/heads/forge/1"), "it is there");
        assert!(!create("refs/heads/old"), "it is packed");
        assert!(!create("refs/heads/old/below"), "a packed one is its directory");
        assert!(!create("refs/heads/main/below"), "a loose one is its directory");
        assert!(!create("refs/heads/forge"), "it is a directory");
        std::fs::write(home.path().join("refs/heads/busy.lock"), "").expect("written");
        assert!(!create("refs/heads/busy"), "somebody is at it");
        assert!(home.path().join("refs/heads/busy.lock").exists());
        assert!(!home.path().join("refs/heads/forge/1.lock").exists());
        assert_eq!(load(home.path(), &name("refs/heads/forge/1")), RefFile::At(id(ONE)));
    }
}
