use crate::files::attributes;
use crate::files::object_database::ObjectDatabase;
use crate::files::plain_config;
use crate::files::tree_listing::{TreeFile, TreeListing};
use crate::files::unsupported::Unsupported;
use crate::refs::object_id::ObjectId;
use crate::repo::repository::Repo;

/// All files of a commit, none of which is for git alone to write, and where their content is read.
#[derive(Debug)]
pub(crate) struct CheckoutPlan {
    pub(crate) objects: ObjectDatabase,
    pub(crate) listing: TreeListing,
}

impl CheckoutPlan {
    pub(crate) fn of(repo: &Repo, commit: &ObjectId) -> Result<Self, Unsupported> {
        plain_config::check(repo.settings_dir())?;
        let objects = ObjectDatabase::open(repo.common_dir())?;
        let tree = objects.tree_of(commit)?;
        let listing = TreeListing::of(&objects, tree)?;
        check_attributes(&objects, listing.files.iter())?;
        Ok(Self { objects, listing })
    }
}

/// Whether no attribute among these files says that one of them is to be written in another way.
pub(crate) fn check_attributes<'a>(
    objects: &ObjectDatabase,
    files: impl Iterator<Item = &'a TreeFile>,
) -> Result<(), Unsupported> {
    let mut buffer = Vec::new();
    for file in files.filter(|file| attributes::is_attributes(&file.path)) {
        attributes::check(objects.blob(&file.id, &mut buffer)?)?;
    }
    Ok(())
}
