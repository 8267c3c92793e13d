use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How many pieces may wait to be finished.
const MOST_WAITING: usize = 16;
/// The same for all together: each holds files open, of which a process may have a thousand.
const MOST_IN_ALL: usize = 32;

static IN_ALL: AtomicUsize = AtomicUsize::new(0);

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
        // Two that look at the same moment may both find room for one.
        if belt.waiting.len() > MOST_WAITING || IN_ALL.load(Ordering::Relaxed) >= MOST_IN_ALL {
            return belt.waiting.pop_front();
        }
        IN_ALL.fetch_add(1, Ordering::Relaxed);
        self.moved.notify_one();
        None
    }

    fn take(&self) -> Option<T> {
        let mut belt = self.belt();
        while belt.waiting.is_empty() && belt.makers > 0 {
            belt = self.moved.wait(belt).unwrap_or_else(PoisonError::into_inner);
        }
        let piece = belt.waiting.pop_front()?;
        IN_ALL.fetch_sub(1, Ordering::Relaxed);
        Some(piece)
    }

    fn belt(&self) -> MutexGuard<'_, Belt<T>> {
        self.belt.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Drop for Assembly<T> {
    fn drop(&mut self) {
        // What nobody finished, because somebody failed.
        IN_ALL.fetch_sub(self.belt().waiting.len(), Ordering::Relaxed);
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
    fn w_15_many_at_once_hold_no_more_open_than_all_may() {
        let many: Vec<Assembly<usize>> = (0..10).map(|_| Assembly::new(1)).collect();
        let finished = (0..100).filter(|piece| many[piece % 10].put(*piece).is_some()).count();
        assert_eq!(100 - finished, MOST_IN_ALL);
        drop(many);
        assert_eq!(IN_ALL.load(Ordering::Relaxed), 0, "given back");
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
