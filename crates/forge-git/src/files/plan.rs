use crate::files::attributes;
use crate::files::declined::Declined;
use crate::files::listing::{File, Listing};
use crate::files::objects::Objects;
use crate::files::plain_config;
use crate::refs::object_id::ObjectId;
use crate::repo::repository::Repo;

/// All files of a commit, none of which is for git alone to write, and where their content is read.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) objects: Objects,
    pub(crate) listing: Listing,
}

impl Plan {
    pub(crate) fn of(repo: &Repo, commit: &ObjectId) -> Result<Self, Declined> {
        plain_config::check(repo.settings_dir())?;
        let objects = Objects::open(repo.common_dir())?;
        let tree = objects.tree_of(commit)?;
        let listing = Listing::of(&objects, tree)?;
        check_attributes(&objects, listing.files.iter())?;
        Ok(Self { objects, listing })
    }
}

/// Whether no attribute among these files says that one of them is to be written in another way.
pub(crate) fn check_attributes<'a>(
    objects: &Objects,
    files: impl Iterator<Item = &'a File>,
) -> Result<(), Declined> {
    let mut buffer = Vec::new();
    for file in files.filter(|file| attributes::is_attributes(&file.path)) {
        attributes::check(objects.blob(&file.id, &mut buffer)?)?;
    }
    Ok(())
}
