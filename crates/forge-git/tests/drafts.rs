//! What earlier versions left in `.drafts` (W-15).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod support;

use support::{World, write};

#[tokio::test]
async fn p_4_drafts_of_an_earlier_version_are_deleted() {
    let world = World::new().await;
    let drafts = world.root.path().join(".drafts");
    write(&drafts.join("1-0/half/made"), "x\n");
    world.root.discard_drafts().expect("discarded");
    assert!(!drafts.exists());
    assert_eq!(world.root.empty_trash().await.expect("emptied"), 1);

    std::fs::create_dir(&drafts).unwrap();
    world.root.discard_drafts().expect("an empty directory goes too");
    assert!(!drafts.exists());
    assert_eq!(world.root.empty_trash().await.expect("emptied"), 1);

    world.root.discard_drafts().expect("nothing to discard");
    assert_eq!(world.root.empty_trash().await.expect("emptied"), 0);
}

/// An agent that puts a symlink in the place of `.drafts` has nothing deleted through it.
#[tokio::test]
async fn w_5_drafts_behind_a_symlink_are_not_followed() {
    let world = World::new().await;
    let elsewhere = world.home().join("elsewhere");
    write(&elsewhere.join("mine"), "x\n");
    std::os::unix::fs::symlink(&elsewhere, world.root.path().join(".drafts")).unwrap();
    world.root.discard_drafts().expect("discarded");
    world.root.empty_trash().await.expect("emptied");
    assert!(world.root.path().join(".drafts").symlink_metadata().is_err());
    assert!(elsewhere.join("mine").exists());
}
