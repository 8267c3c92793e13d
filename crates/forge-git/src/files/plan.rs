use super::attributes;
use super::declined::Declined;
use super::listing::{File, Listing};
use super::objects::Objects;
use super::plain_config;
use crate::object_id::ObjectId;
use crate::repo::Repo;

/// All files of a commit, none of which is for git alone to write, and where their content is read.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) objects: Objects,
    pub(super) listing: Listing,
}

impl Plan {
    /// Says as soon as it is known that the commit is there, which is long before the rest.
    pub(super) fn of(
        repo: &Repo,
        commit: &ObjectId,
        commit_found: impl FnOnce(),
    ) -> Result<Self, Declined> {
        plain_config::check(repo.common_dir())?;
        let objects = Objects::of(repo)?;
        let tree = objects.tree_of(commit)?;
        commit_found();
        let listing = Listing::of(&objects, tree)?;
        check_attributes(&objects, listing.files.iter())?;
        Ok(Self { objects, listing })
    }
}

/// Whether no attribute among these files says that one of them is to be written in another way.
pub(super) fn check_attributes<'a>(
    objects: &Objects,
    files: impl Iterator<Item = &'a File>,
) -> Result<(), Declined> {
    let mut buffer = Vec::new();
    for file in files.filter(|file| attributes::is_attributes(&file.path)) {
        attributes::check(objects.blob(&file.id, &mut buffer)?)?;
    }
    Ok(())
}
