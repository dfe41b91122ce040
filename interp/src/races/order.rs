//! Atomic operations and fences (C11 5.1.2.4 and 7.17.3, the memory model that the LangRef refers to).
//!
//! "A release sequence headed by a release operation A on an atomic object M is a maximal contiguous sub-sequence of
//! side effects in the modification order of M, where the first operation is A and every subsequent operation either is
//! performed by the same thread that performed the release or is an atomic read-modify-write operation" (paragraph 10).
//! An acquire operation that reads from it synchronises with A (11). A relaxed store behind a release fence heads a
//! hypothetical sequence, and a relaxed load before an acquire fence takes part (7.17.4). Executions are sequentially
//! consistent, so a load always reads the last store.

use super::clock::VectorClock;
use super::{Key, Races};
use ir::Ordering;

/// The release sequences that the last store to an atomic object belongs to: the head's thread, and what it had
/// published.
#[derive(Clone, Debug, Default)]
pub struct Heads {
    list: Vec<(usize, VectorClock)>,
    /// All that they published.
    joined: VectorClock,
}

fn acquires(order: Ordering) -> bool {
    matches!(order, Ordering::Acquire | Ordering::AcqRel | Ordering::SeqCst)
}

fn releases(order: Ordering) -> bool {
    matches!(order, Ordering::Release | Ordering::AcqRel | Ordering::SeqCst)
}

impl Races {
    /// The running thread loads from an atomic object.
    pub fn atomic_load(&mut self, key: Key, order: Ordering) {
        let Some(heads) = self.atomics.get(&key) else { return };
        let me = &mut self.threads[self.current];
        let known = if acquires(order) { &mut me.clock } else { &mut me.pending };
        known.join(&heads.joined);
    }

    /// The running thread stores to an atomic object; `rmw` if as a part of a read-modify-write operation.
    pub fn atomic_store(&mut self, key: Key, order: Ordering, rmw: bool) {
        let current = self.current;
        let me = &self.threads[current];
        let published = if releases(order) { me.clock.clone() } else { me.released.clone() };
        let heads = self.atomics.entry(key).or_default();
        if !rmw {
            heads.list.retain(|(thread, _)| *thread == current);
            heads.joined = VectorClock::default();
            for (_, clock) in &heads.list {
                heads.joined.join(clock);
            }
        }
        if !published.is_empty() {
            heads.joined.join(&published);
            match heads.list.iter_mut().find(|(thread, _)| *thread == current) {
                Some((_, clock)) => clock.join(&published),
                None => heads.list.push((current, published)),
            }
        }
        if releases(order) {
            self.tick();
        }
    }

    /// The running thread executes a fence.
    pub fn fence(&mut self, order: Ordering) {
        let me = &mut self.threads[self.current];
        if acquires(order) {
            let pending = std::mem::take(&mut me.pending);
            me.clock.join(&pending);
        }
        if releases(order) {
            me.released = me.clock.clone();
            self.tick();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: Key = (1, 8);

    /// Thread 0 writes, publishes through the atomic object as told; does thread 1, which loads in that order, know?
    fn ordered(publish: impl Fn(&mut Races), load: Ordering, fence: Option<Ordering>) -> bool {
        let mut races = Races::new(0);
        races.create(1, None);
        races.create(2, None);
        assert!(races.access(5, 0, (0, 4), true).is_none());
        publish(&mut races);
        races.switch(1);
        races.atomic_load(KEY, load);
        if let Some(order) = fence {
            races.fence(order);
        }
        races.access(5, 0, (0, 4), false).is_none()
    }

    #[test]
    fn release_and_acquire_order_and_relaxed_does_not() {
        use Ordering::{Acquire, Monotonic, Release, SeqCst};
        for (store, load, expected) in [
            (Release, Acquire, true),
            (SeqCst, SeqCst, true),
            (Monotonic, Acquire, false),
            (Release, Monotonic, false),
            (Monotonic, Monotonic, false),
        ] {
            assert_eq!(ordered(|r| r.atomic_store(KEY, store, false), load, None), expected, "{store:?} {load:?}");
        }
    }

    #[test]
    fn fences_make_relaxed_operations_order() {
        use Ordering::{Acquire, Monotonic, Release};
        let fenced = |r: &mut Races| {
            r.fence(Release);
            r.atomic_store(KEY, Monotonic, false);
        };
        assert!(ordered(fenced, Monotonic, Some(Acquire)));
        assert!(!ordered(fenced, Monotonic, None));
        let late = |r: &mut Races| {
            r.atomic_store(KEY, Monotonic, false);
            r.fence(Release);
        };
        assert!(!ordered(late, Monotonic, Some(Acquire)));
    }

    #[test]
    fn a_release_sequence_goes_on_through_its_thread_and_through_read_modify_writes() {
        use Ordering::{Acquire, Monotonic, Release};
        let then = |thread: usize, rmw: bool| {
            move |r: &mut Races| {
                r.atomic_store(KEY, Release, false);
                r.switch(thread);
                r.atomic_store(KEY, Monotonic, rmw);
            }
        };
        assert!(ordered(then(0, false), Acquire, None), "a store of the same thread");
        assert!(ordered(then(2, true), Acquire, None), "a read-modify-write of another thread");
        assert!(!ordered(then(2, false), Acquire, None), "a store of another thread");
    }

    #[test]
    fn what_follows_the_release_is_not_published() {
        let mut races = Races::new(0);
        races.create(1, None);
        races.atomic_store(KEY, Ordering::Release, false);
        assert!(races.access(5, 0, (0, 4), true).is_none());
        races.switch(1);
        races.atomic_load(KEY, Ordering::Acquire);
        assert!(races.access(5, 0, (0, 4), false).is_some());
    }
}
