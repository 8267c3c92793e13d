use std::fs::File;
use std::io::{self, Read};

use tokio::net::unix::pipe::Receiver;
use tokio_util::sync::CancellationToken;

/// The most a pipe can hold on Linux without privileges, so the most that an ended program can have left in it.
const PIPE_CAPACITY: usize = 1 << 20;

/// The reading end of a child's output pipe. Reading stops when every writer has closed it or, after the program
/// ended, when it is empty: a daemon that still holds the other end cannot block the reader.
#[derive(Debug)]
pub(crate) enum OutputPipe {
    Live(Receiver),
    Draining { pipe: File, budget: usize },
    Closed,
}

impl OutputPipe {
    /// A new pipe: the reader, and the writing end for the child.
    pub(crate) fn open() -> io::Result<(Self, io::PipeWriter)> {
        let (reader, writer) = io::pipe()?;
        Ok((Self::Live(Receiver::from_owned_fd(reader.into())?), writer))
    }

    /// Reads the next bytes; 0 at the end.
    pub(crate) async fn read(&mut self, buffer: &mut [u8], ended: &CancellationToken) -> usize {
        loop {
            match self {
                Self::Closed => return 0,
                Self::Live(pipe) => {
                    tokio::select! {
                        biased;
                        ready = pipe.readable() => match ready.and_then(|()| pipe.try_read(buffer)) {
                            Ok(0) => *self = Self::Closed,
                            Ok(count) => return count,
                            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                            Err(_) => *self = Self::Closed,
                        },
                        () = ended.cancelled() => self.detach(),
                    }
                }
                Self::Draining { pipe, budget } => {
                    let room = buffer.len().min(*budget);
                    let part = buffer.get_mut(..room).unwrap_or_default();
                    match pipe.read(part) {
                        Ok(0) => *self = Self::Closed,
                        Ok(count) => {
                            *budget -= count;
                            return count;
                        }
                        Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                        Err(_) => *self = Self::Closed,
                    }
                }
            }
        }
    }

    // The runtime's cached readiness can lag behind the kernel, so the rest is read from the descriptor itself.
    fn detach(&mut self) {
        *self = match std::mem::replace(self, Self::Closed) {
            Self::Live(pipe) => match pipe.into_nonblocking_fd() {
                Ok(descriptor) => {
                    Self::Draining { pipe: File::from(descriptor), budget: PIPE_CAPACITY }
                }
                Err(_) => Self::Closed,
            },
            other => other,
        };
    }
}
