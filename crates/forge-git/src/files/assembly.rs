use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How many pieces may wait to be finished.
const MOST_WAITING: usize = 8;

/// What is made by some threads and finished by others. Who finds too much waiting finishes some of it, and so does
/// everybody when there is nothing left to make.
#[derive(Debug)]
pub(super) struct Assembly<T> {
    belt: Mutex<Belt<T>>,
    moved: Condvar,
}

#[derive(Debug)]
struct Belt<T> {
    waiting: VecDeque<T>,
    makers: usize,
}

impl<T> Assembly<T> {
    pub(super) fn new(makers: usize) -> Self {
        let belt = Belt { waiting: VecDeque::new(), makers };
        Self { belt: Mutex::new(belt), moved: Condvar::new() }
    }

    /// Works as a maker until there is nothing left to make, and then as a finisher.
    pub(super) fn make<E>(
        &self,
        mut make: impl FnMut() -> Result<Option<T>, E>,
        mut finish: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        let leaving = Leaving(self);
        while let Some(made) = make()? {
            if let Some(piece) = self.put(made) {
                finish(piece)?;
            }
        }
        drop(leaving);
        self.finish(finish)
    }

    /// Works as a finisher until all is finished.
    pub(super) fn finish<E>(&self, mut finish: impl FnMut(T) -> Result<(), E>) -> Result<(), E> {
        while let Some(piece) = self.take() {
            finish(piece)?;
        }
        Ok(())
    }

    /// Lets a piece wait; one that waited before it, where too many do.
    fn put(&self, piece: T) -> Option<T> {
        let mut belt = self.belt();
        belt.waiting.push_back(piece);
        if belt.waiting.len() > MOST_WAITING {
            return belt.waiting.pop_front();
        }
        self.moved.notify_one();
        None
    }

    fn take(&self) -> Option<T> {
        let mut belt = self.belt();
        while belt.waiting.is_empty() && belt.makers > 0 {
            belt = self.moved.wait(belt).unwrap_or_else(PoisonError::into_inner);
        }
        belt.waiting.pop_front()
    }

    fn belt(&self) -> MutexGuard<'_, Belt<T>> {
        self.belt.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A maker that makes nothing more, also when it failed: nobody waits for it.
struct Leaving<'a, T>(&'a Assembly<T>);

impl<T> Drop for Leaving<'_, T> {
    fn drop(&mut self) {
        self.0.belt().makers -= 1;
        self.0.moved.notify_all();
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn w_15_every_piece_is_finished_once_by_however_many() {
        for (makers, finishers) in [(1, 0), (1, 1), (2, 1), (3, 5)] {
            let (next, finished) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
            let make = || {
                let number = next.fetch_add(1, Ordering::Relaxed);
                Ok::<_, ()>((number < 1000).then_some(number))
            };
            let finish = |number| {
                finished.lock().expect("whole").push(number);
                Ok(())
            };
            let assembly = Assembly::new(makers);
            std::thread::scope(|scope| {
                for _ in 0..makers {
                    scope.spawn(|| assembly.make(make, finish));
                }
                for _ in 0..finishers {
                    scope.spawn(|| assembly.finish(finish));
                }
            });
            let mut finished = finished.into_inner().expect("whole");
            finished.sort_unstable();
            assert_eq!(finished, (0..1000).collect::<Vec<_>>());
        }
    }

    #[test]
    fn w_15_a_maker_that_fails_keeps_nobody_waiting() {
        let assembly = Assembly::new(1);
        std::thread::scope(|scope| {
            let finisher = scope.spawn(|| assembly.finish(|_: u8| Ok::<_, ()>(())));
            assert_eq!(assembly.make(|| Err(()), |_| Ok(())), Err(()));
            finisher.join().expect("ends").expect("nothing to finish");
        });
    }

    #[test]
    fn w_15_a_single_thread_finishes_what_it_makes() {
        let (mut left, mut most, mut open) = (100_u32, 0, Vec::new());
        let made = std::cell::Cell::new(0_usize);
        let assembly = Assembly::new(1);
        let make = || {
            left = left.saturating_sub(1);
            made.set(made.get() + usize::from(left > 0));
            Ok::<_, ()>((left > 0).then_some(left))
        };
        let finish = |number| {
            open.push(number);
            most = most.max(made.get() - open.len());
            Ok(())
        };
        assembly.make(make, finish).expect("finished");
        assert_eq!(open.len(), 99);
        assert!(most <= MOST_WAITING, "{most} waited");
    }
}
