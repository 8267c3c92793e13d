//! One server per data directory.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_engine::{DataDirectory, DataDirectoryError};
use uuid::Uuid;

#[test]
fn d_1_a_second_server_on_the_same_directory_is_refused_with_the_holders_pid() {
    let directory = tempfile::tempdir().unwrap();
    let first = DataDirectory::open(directory.path(), || Uuid::from_u128(1)).unwrap();
    match DataDirectory::open(directory.path(), || Uuid::from_u128(2)) {
        Err(DataDirectoryError::InUse { holder, .. }) => {
            assert_eq!(holder, std::process::id().to_string())
        }
        other => panic!("not refused: {other:?}"),
    }
    let node = first.node();
    drop(first);
    let again = DataDirectory::open(directory.path(), || Uuid::from_u128(3)).unwrap();
    assert_eq!(again.node(), node, "a node stays the same node");
}

#[test]
fn a_data_directory_that_cannot_be_made_is_a_clear_error() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    std::fs::write(&file, "x").unwrap();
    let error = DataDirectory::open(&file.join("below"), || Uuid::from_u128(1)).unwrap_err();
    assert!(error.to_string().contains("cannot be used"), "{error}");
}
