use std::path::PathBuf;

use gix_object::Kind;

use crate::files::declined::Declined;
use crate::files::objects::Objects;
use crate::files::plain_config;
use crate::merge::commit_identity::{CommitIdentity, CommitSignature};
use crate::refs::object_id::ObjectId;

/// A commit to be stored.
#[derive(Debug)]
pub(crate) struct Commit<'a> {
    pub(crate) tree: &'a ObjectId,
    pub(crate) parents: &'a [ObjectId],
    pub(crate) message: &'a str,
    pub(crate) signature: &'a CommitSignature,
}

impl Commit<'_> {
    /// Stores it, to the byte as `git commit-tree` would.
    pub(crate) async fn write(
        &self,
        common_dir: PathBuf,
        settings_dir: PathBuf,
    ) -> Result<ObjectId, Declined> {
        let content = self.content()?;
        let writing = tokio::task::spawn_blocking(move || {
            plain_config::check(&settings_dir)?;
            Objects::open(&common_dir)?.put(Kind::Commit, content.as_bytes())
        });
        let id = writing.await.map_err(Declined::new)??;
        ObjectId::new(id.to_string()).map_err(Declined::new)
    }

    fn content(&self) -> Result<String, Declined> {
        let CommitSignature { author, committer, at } = self.signature;
        let mut content = format!("tree {}\n", self.tree);
        for parent in self.parents {
            content.push_str(&format!("parent {parent}\n"));
        }
        for (role, person) in [("author", author), ("committer", committer)] {
            let (name, email) = (bare(person, person.name())?, bare(person, person.email())?);
            content.push_str(&format!("{role} {name} <{email}> {at} +0000\n"));
        }
        content.push('\n');
        content.push_str(self.message);
        if !self.message.is_empty() && !self.message.ends_with('\n') {
            content.push('\n');
        }
        if self.message.contains('\0') {
            return Err(Declined::new("a message has a zero byte in it"));
        }
        Ok(content)
    }
}

/// Git takes some signs off the ends of names.
fn bare<'a>(person: &CommitIdentity, text: &'a str) -> Result<&'a str, Declined> {
    let is_plain = |symbol: Option<char>| symbol.is_some_and(|symbol| symbol.is_alphanumeric());
    if is_plain(text.chars().next()) && is_plain(text.chars().next_back()) {
        return Ok(text);
    }
    Err(Declined::new(format!("the name {}", person.name())))
}
