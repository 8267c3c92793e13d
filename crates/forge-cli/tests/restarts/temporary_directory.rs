//! The temporary directory of many machines is a file system of its own.

use super::place::RestartFixture;

#[tokio::test]
async fn m_7_a_landing_reaches_a_checkout_on_another_file_system_than_the_temporary_directory() {
    let mut place = RestartFixture::new();
    let in_memory = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
    let temporary = in_memory.expect("a directory");
    let server = place.serve_with_temporary_directory(temporary.path());
    let (project, tasks) = server.create_board(&place, 2).await;
    place.await_ups(2).await;
    place.open_gate(2);
    server.await_landed(project, &tasks).await;
    assert_eq!(place.git(&["status", "--porcelain"]), "");
    assert_eq!(place.git(&["rev-list", "--count", "main"]).trim(), "3");
    server.kill();
}
