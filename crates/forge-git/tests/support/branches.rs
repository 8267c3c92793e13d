//! Many branches of one repository, generated from a seed: edits, renames, deletions, moved directories, binaries,
//! submodules, criss-cross histories and uncommitted work.
#![allow(dead_code, reason = "each test binary uses its part")]
#![allow(clippy::expect_used, clippy::panic, clippy::disallowed_methods, clippy::indexing_slicing)]

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use forge_git::{MergeSide, ObjectId, PairResult};

use super::{git_in, try_git_in};

/// A small random generator that gives the same numbers on every machine.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("fits") % sides.max(1)
    }
}

type Files = BTreeMap<String, (&'static str, Vec<u8>)>;

/// Commits that are not written to a repository yet.
pub(crate) struct Branches {
    stream: Vec<u8>,
    trees: Vec<Files>,
    /// The commits of each branch: its head, the uncommitted work on top of it, and the same work with the head as
    /// only parent.
    ends: Vec<[usize; 3]>,
}

fn lines(name: &str) -> Vec<u8> {
    (0..24).map(|line| format!("{name} {line}\n")).collect::<String>().into_bytes()
}

impl Branches {
    /// A repository of 40 files with this many branches.
    pub(crate) fn new(seed: u64, count: usize) -> Self {
        let mut all = Self { stream: Vec::new(), trees: Vec::new(), ends: Vec::new() };
        let mut dice = Dice::new(seed);
        let mut files = Files::new();
        for number in 0..40 {
            let name = format!("{}/f{number}.txt", ["src", "lib", "lib/deep", "docs"][number % 4]);
            files.insert(name.clone(), ("100644", lines(&name)));
        }
        files.insert("logo.bin".to_owned(), ("100644", vec![0, 1, 2, 0, 255, 3, 0, 9]));
        files.insert("sub".to_owned(), ("160000", b"1".repeat(40)));
        let mut target = vec![all.commit("main", &[], files)];
        for _ in 0..3 {
            let mut next = all.files(*target.last().expect("one"));
            change(&mut dice, &mut next);
            let parent = *target.last().expect("one");
            target.push(all.commit("main", &[parent], next));
        }
        let crossed = all.cross(&mut dice, target[1]);
        for number in 0..count {
            let from = match dice.roll(10) {
                0 | 1 => crossed[dice.roll(2)],
                2 if number > 0 => all.ends[dice.roll(number)][0],
                _ => target[dice.roll(target.len())],
            };
            all.branch(&mut dice, number, from);
        }
        all
    }

    fn files(&self, mark: usize) -> Files {
        self.trees[mark - 1].clone()
    }

    /// Two commits that each merge the other's parent, so that they have two best common ancestors.
    fn cross(&mut self, dice: &mut Dice, from: usize) -> [usize; 2] {
        let mut sides = Vec::new();
        for _ in 0..2 {
            let mut files = self.files(from);
            change(dice, &mut files);
            change(dice, &mut files);
            sides.push(self.commit("cross", &[from], files));
        }
        let (left, right) = (self.files(sides[0]), self.files(sides[1]));
        let one = self.commit("cross", &[sides[0], sides[1]], left);
        let other = self.commit("cross", &[sides[1], sides[0]], right);
        [one, other]
    }

    fn branch(&mut self, dice: &mut Dice, number: usize, from: usize) {
        let (mut head, name) = (from, format!("task-{number}"));
        for _ in 0..dice.roll(3) + usize::from(number != 0) {
            let mut files = self.files(head);
            for _ in 0..=dice.roll(3) {
                change(dice, &mut files);
            }
            head = self.commit(&name, &[head], files);
        }
        let (mut content, mut plain) = (head, head);
        if dice.roll(5) == 0 {
            let mut files = self.files(head);
            change(dice, &mut files);
            let mut stray = self.files(from);
            change(dice, &mut stray);
            let stray = self.commit("stray", &[from], stray);
            content = self.commit("journal", &[head, stray], files.clone());
            plain = self.commit("plain", &[head], files);
        }
        self.ends.push([head, content, plain]);
    }

    fn commit(&mut self, branch: &str, parents: &[usize], files: Files) -> usize {
        let mark = self.trees.len() + 1;
        let mut say = |text: &[u8]| self.stream.extend_from_slice(text);
        say(format!("commit refs/heads/{branch}\nmark :{mark}\n").as_bytes());
        say(format!("committer P <p@example.org> {} +0000\n", 1_700_000_000 + mark).as_bytes());
        say(format!("data <<END\ncommit {mark}\nEND\n").as_bytes());
        for (place, parent) in parents.iter().enumerate() {
            let word = if place == 0 { "from" } else { "merge" };
            say(format!("{word} :{parent}\n").as_bytes());
        }
        say(b"deleteall\n");
        for (path, (mode, content)) in &files {
            if *mode == "160000" {
                say(format!("M 160000 {} {path}\n", String::from_utf8_lossy(content)).as_bytes());
            } else {
                say(format!("M {mode} inline {path}\ndata {}\n", content.len()).as_bytes());
                say(content);
                say(b"\n");
            }
        }
        say(b"\n");
        self.trees.push(files);
        mark
    }

    /// Writes the commits into a new repository; returns the sides, and for each the commit that plain git merges.
    pub(crate) fn write(&self, place: &Path, options: &[&str]) -> (Vec<MergeSide>, Vec<String>) {
        std::fs::create_dir_all(place).expect("a directory");
        let arguments = [&["init", "-q", "-b", "main"], options].concat();
        git_in(place, &arguments);
        let mut child = std::process::Command::new("git")
            .args(["fast-import", "--quiet", "--force", "--export-marks=marks"])
            .current_dir(place)
            .stdin(Stdio::piped())
            .spawn()
            .expect("git runs");
        child.stdin.take().expect("a pipe").write_all(&self.stream).expect("is read");
        assert!(child.wait().expect("ends").success());
        let marks = std::fs::read_to_string(place.join("marks")).expect("marks");
        let marks: BTreeMap<usize, String> = marks
            .lines()
            .filter_map(|line| line.strip_prefix(':')?.split_once(' '))
            .map(|(mark, id)| (mark.parse().expect("a number"), id.to_owned()))
            .collect();
        let id = |text: &str| ObjectId::new(text.trim()).expect("an id");
        let sides = self.ends.iter().map(|[head, content, _]| MergeSide {
            head: id(&marks[head]),
            content: id(&marks[content]),
            tree: id(&git_in(place, &["rev-parse", &format!("{}^{{tree}}", marks[content])])),
            fork: None,
        });
        let plain = self.ends.iter().map(|[_, _, plain]| marks[plain].clone());
        (sides.collect(), plain.collect())
    }
}

/// Makes one random change.
fn change(dice: &mut Dice, files: &mut Files) {
    let plain: Vec<String> = files
        .iter()
        .filter(|(_, (mode, _))| *mode != "160000")
        .map(|(path, _)| path.clone())
        .collect();
    let path = plain[dice.roll(plain.len())].clone();
    match dice.roll(14) {
        0 => {
            files.remove(&path);
        }
        1 => move_to(files, &path, &format!("moved/{}", path.replace('/', "-"))),
        2 => {
            let (from, to) = [("lib/", "library/"), ("docs/", "docs/old/")][dice.roll(2)];
            let inside: Vec<_> = plain.iter().filter(|path| path.starts_with(from)).collect();
            for path in inside {
                move_to(files, path, &path.replacen(from, to, 1));
            }
        }
        3 | 4 => {
            let place = ["src", "lib", "lib/deep", "docs", "new"][dice.roll(5)];
            let name = format!("{place}/n{}.txt", dice.roll(4));
            add(files, &name, format!("new {}\n", dice.roll(3)).into_bytes());
        }
        5 => add(files, "logo.bin", vec![0, u8::try_from(dice.roll(4)).expect("small"), 7, 0]),
        6 => {
            let commit = format!("{}", 2 + dice.roll(3)).repeat(40).into_bytes();
            files.insert("sub".to_owned(), ("160000", commit));
        }
        7 => {
            // Put a directory where a file was.
            let (_, content) = files.remove(&path).expect("is there");
            add(files, &format!("{path}/inside"), content);
        }
        8 => {
            if let Some((mode, _)) = files.get_mut(&path) {
                *mode = "100755";
            }
        }
        9 => {
            files.insert(path, ("120000", format!("to-{}", dice.roll(3)).into_bytes()));
        }
        _ => {
            let Some((_, content)) = files.get_mut(&path) else { return };
            let text = String::from_utf8_lossy(content).into_owned();
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            let place = dice.roll(lines.len());
            if let Some(line) = lines.get_mut(place) {
                *line = format!("changed {}", dice.roll(50));
            }
            *content = (lines.join("\n") + "\n").into_bytes();
        }
    }
}

fn add(files: &mut Files, path: &str, content: Vec<u8>) {
    // A path cannot be a file and a directory.
    let above = path.match_indices('/').any(|(end, _)| files.contains_key(&path[..end]));
    let below = files.keys().any(|other| other.starts_with(&format!("{path}/")));
    if !above && !below {
        files.insert(path.to_owned(), ("100644", content));
    }
}

fn move_to(files: &mut Files, from: &str, to: &str) {
    if let Some((_, content)) = files.remove(from) {
        add(files, to, content);
    }
}

/// The result of `git merge` for two commits.
#[derive(Debug)]
pub(crate) enum Merged {
    Clean,
    /// The files that conflict.
    Clash(Vec<String>),
    /// The merge conflicts, and git does not name the files.
    GaveUp,
}

impl Merged {
    pub(crate) fn is_same(&self, meeting: &PairResult) -> bool {
        match (self, meeting) {
            (Self::Clean, PairResult::Clean) | (Self::GaveUp, PairResult::Conflict { .. }) => true,
            (Self::Clash(expected), PairResult::Conflict { files }) => expected == files,
            _ => false,
        }
    }
}

/// A clone to merge in.
pub(crate) struct Clone {
    place: PathBuf,
    on: std::cell::RefCell<String>,
}

impl Clone {
    pub(crate) fn of(repository: &Path, place: &Path) -> Self {
        let (from, to) = (repository.to_str().expect("text"), place.to_str().expect("text"));
        let above = repository.parent().expect("a parent");
        git_in(above, &["clone", "-q", "--shared", "--no-checkout", from, to]);
        for setting in [["advice.detachedHead", "false"], ["core.fsync", "none"], ["gc.auto", "0"]]
        {
            git_in(place, &["config", setting[0], setting[1]]);
        }
        Self { place: place.to_owned(), on: std::cell::RefCell::default() }
    }

    pub(crate) fn merge(&self, one: &str, other: &str) -> Merged {
        if self.on.replace(one.to_owned()) != one {
            git_in(&self.place, &["checkout", "-q", "--force", "--detach", one]);
        }
        let arguments =
            ["merge", "-q", "--no-commit", "--no-ff", "--allow-unrelated-histories", other];
        let (merged, said) = try_git_in(&self.place, &arguments);
        if said.contains("BUG: merge-ort.c") {
            // Git itself aborts on some combinations of conflicts, after it has found them.
            std::fs::remove_file(self.place.join(".git/index.lock")).expect("left behind");
            git_in(&self.place, &["reset", "-q", "--hard"]);
            git_in(&self.place, &["clean", "-qffdx"]);
            return Merged::GaveUp;
        }
        if merged {
            git_in(&self.place, &["reset", "-q", "--hard"]);
            return Merged::Clean;
        }
        let unmerged = git_in(&self.place, &["ls-files", "-z", "--unmerged"]);
        git_in(&self.place, &["reset", "-q", "--hard"]);
        git_in(&self.place, &["clean", "-qffdx"]);
        let mut files: Vec<String> = unmerged
            .split_terminator('\0')
            .filter_map(|line| line.split_once('\t'))
            .map(|(_, path)| own_name(path, other))
            .collect();
        files.sort();
        files.dedup();
        assert!(!files.is_empty(), "{one} {other}: {said}");
        Merged::Clash(files)
    }
}

/// Git appends the side's name to a file that gives way to a directory.
fn own_name(path: &str, other: &str) -> String {
    let ends = ["~HEAD".to_owned(), format!("~{other}")];
    let cut = ends.iter().filter_map(|end| path.rfind(end.as_str())).min();
    path[..cut.unwrap_or(path.len())].to_owned()
}
