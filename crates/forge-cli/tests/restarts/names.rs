//! Watches the names and the files in a directory without missing a change.

use rustix::fd::OwnedFd;
use rustix::fs::inotify::{self, CreateFlags, WatchFlags};
use std::mem::MaybeUninit;
use std::path::Path;

/// What happened to a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NameChange {
    Created,
    Removed,
}

/// Reports every change in a directory from now on.
pub(crate) struct DirectoryWatch(OwnedFd);

impl DirectoryWatch {
    pub(crate) fn watch(directory: &Path) -> Self {
        let watch = inotify::init(CreateFlags::CLOEXEC).expect("a watch");
        let flags =
            WatchFlags::CREATE | WatchFlags::MOVED_TO | WatchFlags::DELETE | WatchFlags::MOVED_FROM;
        inotify::add_watch(&watch, directory, flags).expect("the directory is there");
        Self(watch)
    }

    /// Waits until a matching name is created or removed.
    pub(crate) async fn until(self, is_such: fn(&[u8]) -> bool, change: NameChange) {
        let waiting = tokio::task::spawn_blocking(move || {
            let mut buffer = [MaybeUninit::uninit(); 4096];
            let mut reader = inotify::Reader::new(self.0, &mut buffer);
            loop {
                let seen = reader.next().expect("the watch goes on");
                let came = seen.events().intersects(inotify::ReadFlags::CREATE)
                    || seen.events().intersects(inotify::ReadFlags::MOVED_TO);
                let is_it = seen.file_name().is_some_and(|name| is_such(name.to_bytes()));
                if is_it && came == (change == NameChange::Created) {
                    return;
                }
            }
        });
        waiting.await.expect("no panic");
    }
}

/// Reports every write to a file of a directory from now on.
pub(crate) struct WriteWatch(OwnedFd);

impl WriteWatch {
    pub(crate) fn watch(directory: &Path) -> Self {
        let watch = inotify::init(CreateFlags::CLOEXEC).expect("a watch");
        let flags = WatchFlags::CREATE | WatchFlags::MODIFY;
        inotify::add_watch(&watch, directory, flags).expect("the directory is there");
        Self(watch)
    }

    /// Waits until the condition holds; checks it after each write.
    pub(crate) async fn until(self, condition: impl Fn() -> bool + Send + 'static) {
        let waiting = tokio::task::spawn_blocking(move || {
            let mut buffer = [MaybeUninit::uninit(); 4096];
            let mut reader = inotify::Reader::new(self.0, &mut buffer);
            while !condition() {
                reader.next().expect("the watch goes on");
            }
        });
        waiting.await.expect("no panic");
    }
}
