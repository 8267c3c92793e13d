use std::collections::BTreeMap;
use std::io::{ErrorKind, Write};
use std::path::Path;

use crate::fs::regular_file::read_regular;
use crate::refs::object_id::ObjectId;
use crate::refs::ref_name::RefName;

/// The value of a reference as the repository's files show it, without starting git.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RefLookup {
    /// The reference points to this object.
    Found(ObjectId),
    /// There is no such reference.
    Missing,
    /// Only git can tell: another storage format, a symbolic reference, or an unreadable file.
    Unknown,
}

/// Whether references are stored in files. With another storage, git writes a `HEAD` that names an invalid branch.
pub(crate) fn are_refs_in_files(common_dir: &Path) -> bool {
    std::fs::read(common_dir.join("HEAD")).is_ok_and(|head| !is_reftable_placeholder(&head))
}

pub(crate) fn is_reftable_placeholder(head: &[u8]) -> bool {
    head.trim_ascii_end() == b"ref: refs/heads/.invalid"
}

/// Looks up a reference as git does: first its own file, then the packed references. Packing writes the packed file
/// before it removes the loose one, so one of them always has the value.
pub(crate) fn look_up_ref(common_dir: &Path, name: &RefName) -> RefLookup {
    match read_regular(&common_dir.join(name.as_str())) {
        Ok(content) => parse_object_id(&content).map_or(RefLookup::Unknown, RefLookup::Found),
        Err(error) if is_not_found(error.kind()) => {
            if !are_refs_in_files(common_dir) {
                return RefLookup::Unknown;
            }
            match read_packed_refs(common_dir) {
                Some(list) => find_packed(&list, name).map_or(RefLookup::Missing, |id| {
                    parse_object_id(id).map_or(RefLookup::Unknown, RefLookup::Found)
                }),
                None => RefLookup::Unknown,
            }
        }
        Err(_) => RefLookup::Unknown,
    }
}

/// Whether a reference has this name or a name below it. `None` if only git can tell: the directory may be empty, or
/// another process may be creating a file in it.
pub(crate) fn is_ref_name_taken(common_dir: &Path, name: &RefName) -> Option<bool> {
    let beneath =
        common_dir.join(name.as_str()).symlink_metadata().is_ok_and(|found| found.is_dir());
    match look_up_ref(common_dir, name) {
        RefLookup::Found(_) => Some(true),
        RefLookup::Missing if beneath => None,
        RefLookup::Missing => {
            let prefix = format!("{name}/");
            let found = |list: Vec<u8>| {
                packed_entries(&list).any(|(_, found)| found.starts_with(prefix.as_bytes()))
            };
            read_packed_refs(common_dir).map(found)
        }
        RefLookup::Unknown => None,
    }
}

/// The highest number below each name directly under a prefix, among the packed references. `None` if only git can
/// tell.
pub(crate) fn packed_numbers(common_dir: &Path, prefix: &str) -> Option<BTreeMap<String, u64>> {
    if !are_refs_in_files(common_dir) {
        return None;
    }
    let mut found = BTreeMap::new();
    for (_, name) in packed_entries(&read_packed_refs(common_dir)?) {
        let below = std::str::from_utf8(name).ok().and_then(|name| name.strip_prefix(prefix));
        let Some((name, number)) = below.and_then(|below| below.split_once('/')) else { continue };
        if let Ok(number) = number.parse::<u64>() {
            let highest = found.entry(name.to_owned()).or_insert(number);
            *highest = number.max(*highest);
        }
    }
    Some(found)
}

/// Creates a reference with git's own protocol: create its lock file, write it, rename it into place. Returns false
/// and changes nothing if git has to do it instead. The caller knows that the object exists.
///
/// `git update-ref` takes 2.1 ms, half of the 4 ms in which a claim must take a pooled worktree of 20,000 files (a
/// hundredth of a `git worktree add`, on two cores), and at least a tenth of a journal entry.
pub(crate) fn create_ref(common_dir: &Path, name: &RefName, object: &ObjectId) -> bool {
    if look_up_ref(common_dir, name) != RefLookup::Missing {
        return false;
    }
    let Some(list) = read_packed_refs(common_dir) else { return false };
    if conflicts_with_packed(&list, name) {
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
    // Check again behind the lock, which every git process respects.
    let free = look_up_ref(common_dir, name) == RefLookup::Missing;
    if written.is_err() || !free || std::fs::rename(&lock, &path).is_err() {
        std::fs::remove_file(&lock).ok();
        return false;
    }
    log_creation(common_dir, name, object, &file);
    true
}

/// Writes the reflog entry that `git branch` would write; git keeps no reflog for other references. A failure is not
/// an error.
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
        tracing::debug!(%error, "could not create reflog of new branch");
    }
}

fn is_not_found(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::IsADirectory)
}

fn parse_object_id(content: &[u8]) -> Option<ObjectId> {
    let text = std::str::from_utf8(content.trim_ascii_end()).ok()?;
    ObjectId::new(text).ok()
}

/// Reads the packed references; a missing file is an empty list.
fn read_packed_refs(common_dir: &Path) -> Option<Vec<u8>> {
    match std::fs::read(common_dir.join("packed-refs")) {
        Ok(list) => Some(list),
        Err(error) if error.kind() == ErrorKind::NotFound => Some(Vec::new()),
        Err(_) => None,
    }
}

fn packed_entries(list: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    list.split(|byte| *byte == b'\n').filter_map(|line| {
        let space = line.iter().position(|byte| *byte == b' ')?;
        let (id, name) = (line.get(..space)?, line.get(space + 1..)?);
        (!id.starts_with(b"#") && !id.starts_with(b"^")).then_some((id, name))
    })
}

fn find_packed<'a>(list: &'a [u8], name: &RefName) -> Option<&'a [u8]> {
    let wanted = name.as_str().as_bytes();
    packed_entries(list).find_map(|(id, found)| (found == wanted).then_some(id))
}

/// Whether a packed name is a parent directory of the new name, or the other way round.
fn conflicts_with_packed(list: &[u8], name: &RefName) -> bool {
    let wanted = name.as_str().as_bytes();
    let above = |one: &[u8], other: &[u8]| {
        one.strip_prefix(other).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
    };
    packed_entries(list).any(|(_, found)| above(found, wanted) || above(wanted, found))
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
    fn w_15_loose_and_packed_references_are_read() {
        let home = repository();
        let load = |text: &str| look_up_ref(home.path(), &name(text));
        assert_eq!(load("refs/heads/main"), RefLookup::Found(id(ONE)));
        assert_eq!(load("refs/heads/old"), RefLookup::Found(id(TWO)));
        assert_eq!(load("refs/heads/forge"), RefLookup::Missing);
        assert_eq!(load("refs/heads/main/below"), RefLookup::Missing);
        std::fs::write(home.path().join("refs/heads/symbolic"), "ref: refs/heads/main\n")
            .expect("written");
        assert_eq!(load("refs/heads/symbolic"), RefLookup::Unknown);
        std::fs::write(home.path().join("HEAD"), "ref: refs/heads/.invalid\n").expect("written");
        assert_eq!(load("refs/heads/none"), RefLookup::Unknown);
        let gone = Path::new("/nonexistent");
        assert_eq!(super::look_up_ref(gone, &name("refs/heads/main")), RefLookup::Unknown);
    }

    #[test]
    fn t_24_a_reference_is_created_only_where_no_other_one_conflicts() {
        let home = repository();
        let create = |text: &str| create_ref(home.path(), &name(text), &id(ONE));
        assert!(create("refs/heads/forge/1"));
        assert!(!create("refs/heads/forge/1"), "it is there");
        assert!(!create("refs/heads/old"), "it is packed");
        assert!(!create("refs/heads/old/below"), "a packed one is its directory");
        assert!(!create("refs/heads/main/below"), "a loose one is its directory");
        assert!(!create("refs/heads/forge"), "it is a directory");
        std::fs::write(home.path().join("refs/heads/busy.lock"), "").expect("written");
        assert!(!create("refs/heads/busy"), "it is locked");
        assert!(home.path().join("refs/heads/busy.lock").exists());
        assert!(!home.path().join("refs/heads/forge/1.lock").exists());
        assert_eq!(
            look_up_ref(home.path(), &name("refs/heads/forge/1")),
            RefLookup::Found(id(ONE))
        );
    }
}
