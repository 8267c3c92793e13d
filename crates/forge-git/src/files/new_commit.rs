use std::path::PathBuf;

use gix_object::Kind;

use crate::files::object_database::ObjectDatabase;
use crate::files::plain_config;
use crate::files::unsupported::Unsupported;
use crate::merge::commit_identity::{CommitIdentity, CommitSignature};
use crate::refs::object_id::ObjectId;

/// A commit to be stored.
#[derive(Debug)]
pub(crate) struct NewCommit<'a> {
    pub(crate) tree: &'a ObjectId,
    pub(crate) parents: &'a [ObjectId],
    pub(crate) message: &'a str,
    pub(crate) signature: &'a CommitSignature,
}

impl NewCommit<'_> {
    /// Stores it, to the byte as `git commit-tree` would.
    pub(crate) async fn write(
        &self,
        common_dir: PathBuf,
        settings_dir: PathBuf,
    ) -> Result<ObjectId, Unsupported> {
        let content = self.content()?;
        let writing = tokio::task::spawn_blocking(move || {
            plain_config::check(&settings_dir)?;
            ObjectDatabase::open(&common_dir)?.put_durably(Kind::Commit, content.as_bytes())
        });
        let id = writing.await.map_err(Unsupported::new)??;
        ObjectId::new(id.to_string()).map_err(Unsupported::new)
    }

    fn content(&self) -> Result<String, Unsupported> {
        let CommitSignature { author, committer, at } = self.signature;
        let mut content = format!("tree {}\n", self.tree);
        for parent in self.parents {
            content.push_str(&format!("parent {parent}\n"));
        }
        for (role, person) in [("author", author), ("committer", committer)] {
            let (name, email) =
                (check_name_ends(person, person.name())?, check_name_ends(person, person.email())?);
            content.push_str(&format!("{role} {name} <{email}> {at} +0000\n"));
        }
        content.push('\n');
        content.push_str(self.message);
        if !self.message.is_empty() && !self.message.ends_with('\n') {
            content.push('\n');
        }
        if self.message.contains('\0') {
            return Err(Unsupported::new("a message has a zero byte in it"));
        }
        Ok(content)
    }
}

/// Refuses a name with ends that git would cut off.
fn check_name_ends<'a>(person: &CommitIdentity, text: &'a str) -> Result<&'a str, Unsupported> {
    let is_plain = |symbol: Option<char>| symbol.is_some_and(|symbol| symbol.is_alphanumeric());
    if is_plain(text.chars().next()) && is_plain(text.chars().next_back()) {
        return Ok(text);
    }
    Err(Unsupported::new(format!("the name {}", person.name())))
}
