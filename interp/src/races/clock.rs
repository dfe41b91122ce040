//! Vector clocks and epochs (Flanagan and Freund, "FastTrack: Efficient and Precise Dynamic Race Detection", PLDI 2009, section 3).
//!
//! A thread's clock counts its releases. The vector clock of a thread says for each thread up to which count everything it did happens
//! before now. One event is named by its epoch `c@t`: thread t at count c.

/// Thread and count in one word: 16 bits and 48 bits. The word 0 means "never".
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Epoch(u64);

impl Epoch {
    /// No event at all: it happens before everything.
    pub const NEVER: Epoch = Epoch(0);

    /// Count `count` of thread `thread`.
    pub fn new(thread: usize, count: u64) -> Epoch {
        Epoch((thread as u64) << 48 | count & ((1 << 48) - 1))
    }

    /// The thread.
    pub fn thread(self) -> usize {
        (self.0 >> 48) as usize
    }

    /// The thread's count.
    pub fn count(self) -> u64 {
        self.0 & ((1 << 48) - 1)
    }
}

/// For each thread, the count up to which it is known.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct VectorClock(Vec<u64>);

impl VectorClock {
    /// What is known of a thread.
    #[inline]
    pub fn get(&self, thread: usize) -> u64 {
        self.0.get(thread).copied().unwrap_or(0)
    }

    /// Sets what is known of a thread.
    pub fn set(&mut self, thread: usize, count: u64) {
        if self.0.len() <= thread {
            self.0.resize(thread + 1, 0);
        }
        self.0[thread] = count;
    }

    /// Learns all that the other knows.
    pub fn join(&mut self, other: &VectorClock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(*theirs);
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
}
