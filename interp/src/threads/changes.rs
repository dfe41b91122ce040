//! Which threads have seen the last change of what is accessed in one piece.
//!
//! A weak comparison and exchange "is permitted to fail spuriously" (LangRef, `cmpxchg`), and does so here where another
//! thread has come between: the memory may hold the bits that were expected, and yet not the number that was read (the
//! ABA problem), and by the flow of data what the other has stored would be lost. One that is not weak fails so where
//! the machine tells the numbers apart ([`crate::Machine::tells_apart`]).

use ir::hash::HashMap;

/// Changes by address, and what threads have seen of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changes {
    changed: HashMap<u64, u64>,
    seen: HashMap<(usize, u64), u64>,
}

impl Changes {
    /// A thread reads what is there.
    pub(crate) fn read(&mut self, thread: usize, address: u64) {
        let changes = self.changed.get(&address).copied().unwrap_or_default();
        self.seen.insert((thread, address), changes);
    }

    /// Somebody changes it.
    pub(crate) fn change(&mut self, address: u64) {
        *self.changed.entry(address).or_default() += 1;
    }

    /// Has it been changed since the thread last read it?
    pub(crate) fn is_changed(&self, thread: usize, address: u64) -> bool {
        self.seen.get(&(thread, address)).is_some_and(|seen| Some(seen) != self.changed.get(&address).or(Some(&0)))
    }
}

#[cfg(test)]
mod tests {
    use super::Changes;

    #[test]
    fn a_thread_is_late_until_it_reads_again() {
        let mut changes = Changes::default();
        assert!(!changes.is_changed(1, 8), "it has read nothing");
        changes.read(1, 8);
        changes.change(16);
        assert!(!changes.is_changed(1, 8), "another number has been changed");
        changes.change(8);
        assert!(changes.is_changed(1, 8));
        assert!(!changes.is_changed(2, 8), "the other thread has read nothing");
        changes.read(1, 8);
        assert!(!changes.is_changed(1, 8));
    }
}
