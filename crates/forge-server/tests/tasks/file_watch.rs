//! Waits for the content of a file by inotify, so that a test neither sleeps nor polls.

use std::path::PathBuf;

use nix::sys::inotify::{AddWatchFlags, InitFlags, Inotify};

/// Waits until the file ends with this text. The file must exist.
pub(crate) async fn wait_until_file_ends_with(path: PathBuf, text: &'static str) {
    let waiting = tokio::task::spawn_blocking(move || {
        let watch = Inotify::init(InitFlags::IN_CLOEXEC).expect("inotify");
        // Watch before the first look: a write between the look and the watch would never be seen.
        watch.add_watch(&path, AddWatchFlags::IN_MODIFY).expect("the file exists");
        while !std::fs::read_to_string(&path).expect("a readable file").ends_with(text) {
            watch.read_events().expect("an event");
        }
    });
    waiting.await.expect("the file is watched");
}
