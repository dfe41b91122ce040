//! Vector clocks and epochs (Flanagan and Freund, "FastTrack: Efficient and Precise Dynamic Race Detection", PLDI 2009,
//! section 3).
//!
//! A thread's clock counts its releases. The vector clock of a thread says for each thread up to which count everything
//! it did happens before now. One event is named by its epoch `c@t`: thread t at count c.

use std::rc::Rc;

/// Thread and count in one word: 20 bits and 44 bits. The word 0 means "never".
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Epoch(u64);

/// Bits of the count.
const COUNT: u32 = 44;
/// Actors that epochs can name.
pub const MOST_ACTORS: usize = 1 << (64 - COUNT);

impl Epoch {
    /// No event at all: it happens before everything.
    pub const NEVER: Epoch = Epoch(0);

    /// Count `count` of thread `thread`.
    pub fn new(thread: usize, count: u64) -> Epoch {
        Epoch((thread as u64) << COUNT | count & ((1 << COUNT) - 1))
    }

    /// The thread.
    pub fn thread(self) -> usize {
        (self.0 >> COUNT) as usize
    }

    /// The thread's count.
    pub fn count(self) -> u64 {
        self.0 & ((1 << COUNT) - 1)
    }
}

/// Nobody's number.
const NONE: usize = usize::MAX;

/// For each thread, the count up to which it is known.
///
/// What many threads know alike is kept once: the count of the clock's own thread lies apart, so that the threads of a
/// grid that have met at a barrier share the rest.
#[derive(Clone, Debug)]
pub struct VectorClock {
    /// What is known of the others, and perhaps something old of the own thread.
    base: Rc<Vec<u64>>,
    /// The own thread and its count.
    own: (usize, u64),
}

impl Default for VectorClock {
    fn default() -> VectorClock {
        VectorClock { base: Rc::default(), own: (NONE, 0) }
    }
}

impl VectorClock {
    /// What is known of a thread.
    #[inline]
    pub fn get(&self, thread: usize) -> u64 {
        if thread == self.own.0 { self.own.1 } else { self.base.get(thread).copied().unwrap_or(0) }
    }

    /// Sets what is known of a thread.
    pub fn set(&mut self, thread: usize, count: u64) {
        if thread == self.own.0 {
            self.own.1 = count;
            return;
        }
        let base = Rc::make_mut(&mut self.base);
        if base.len() <= thread {
            base.resize(thread + 1, 0);
        }
        base[thread] = count;
    }

    /// The same knowledge as that of another thread, whose own count is that.
    pub fn become_own(&mut self, thread: usize, count: u64) {
        let (before, known) = std::mem::replace(&mut self.own, (NONE, 0));
        if before != NONE {
            self.set(before, known);
        }
        self.own = (thread, count);
    }

    /// Nothing is known.
    pub fn is_empty(&self) -> bool {
        self.own.1 == 0 && self.base.iter().all(|count| *count == 0)
    }

    /// Learns all that the other knows.
    pub fn join(&mut self, other: &VectorClock) {
        if !Rc::ptr_eq(&self.base, &other.base) {
            let known = |clock: &VectorClock, thread: usize| clock.base.get(thread).copied().unwrap_or(0);
            let longest = self.base.len().max(other.base.len());
            let (mut less, mut more) = (false, false);
            for thread in 0..longest {
                let (mine, theirs) = (known(self, thread), known(other, thread));
                less |= mine < theirs;
                more |= mine > theirs;
            }
            if less && !more {
                self.base = Rc::clone(&other.base);
            } else if less {
                let base = Rc::make_mut(&mut self.base);
                base.resize(longest, 0);
                for (mine, theirs) in base.iter_mut().zip(other.base.iter()) {
                    *mine = (*mine).max(*theirs);
                }
            }
        }
        if other.own.0 != NONE && other.own.1 > self.get(other.own.0) {
            self.set(other.own.0, other.own.1);
        }
    }

    /// Does the event happen before whoever has this clock?
    #[inline]
    pub fn covers(&self, event: Epoch) -> bool {
        event.count() <= self.get(event.thread())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_covered_once_its_count_is_known() {
        let mut clock = VectorClock::default();
        assert!(clock.covers(Epoch::NEVER));
        assert!(!clock.covers(Epoch::new(3, 1)));
        clock.set(3, 4);
        assert!(clock.covers(Epoch::new(3, 4)) && !clock.covers(Epoch::new(3, 5)));
        assert!(!clock.covers(Epoch::new(2, 1)));
    }

    #[test]
    fn joining_takes_the_greater_count_of_each_thread() {
        let (mut a, mut b) = (VectorClock::default(), VectorClock::default());
        a.set(0, 5);
        a.set(1, 1);
        b.set(1, 7);
        b.set(2, 2);
        a.join(&b);
        assert_eq!([a.get(0), a.get(1), a.get(2), a.get(3)], [5, 7, 2, 0]);
    }

    #[test]
    fn a_clock_with_its_own_thread_apart_knows_the_same() {
        let mut parent = VectorClock::default();
        parent.become_own(0, 4);
        let mut child = parent.clone();
        child.become_own(2, 1);
        parent.set(0, 5);
        assert_eq!([child.get(0), child.get(1), child.get(2)], [4, 0, 1]);
        assert_eq!([parent.get(0), parent.get(2)], [5, 0]);
        parent.join(&child);
        assert_eq!([parent.get(0), parent.get(2)], [5, 1]);
        let mut lock = VectorClock::default();
        lock.join(&child);
        lock.join(&parent);
        assert_eq!([lock.get(0), lock.get(1), lock.get(2)], [5, 0, 1]);
        assert!(!lock.is_empty() && VectorClock::default().is_empty());
    }
}
