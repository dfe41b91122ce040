//! Leaks: heap blocks that nothing reachable points to.
//!
//! Reachability as in a conservative collector: the roots are every live object that is not a heap block; a heap block
//! is reachable if any aligned word of a reachable object, pointer or not, holds an address inside it or just past its
//! end. So a block that the program could still free is not reported.

use super::{AllocKind, Life, Memory};
use crate::memory::inspect::AllocInfo;
use crate::memory::shadow::Shadow;

impl<S: Shadow> Memory<S> {
    /// The live heap blocks that are unreachable, in the order of their slots.
    pub fn leaks(&self) -> Vec<AllocInfo> {
        let mut reached = vec![false; self.allocs.len()];
        let mut work: Vec<usize> = Vec::new();
        for (index, slot) in self.allocs.iter().enumerate().skip(1) {
            if slot.life == Life::Live && !matches!(slot.kind, AllocKind::Heap(_)) {
                reached[index] = true;
                work.push(index);
            }
        }
        while let Some(index) = work.pop() {
            let parts = self.allocs[index].data.parts();
            for word in parts.flat_map(|part| part.bytes.chunks_exact(8)) {
                let Ok(word) = <[u8; 8]>::try_from(word) else { continue };
                if let Some(target) = self.find(u64::from_le_bytes(word)) {
                    let target = target as usize;
                    if !reached[target] {
                        reached[target] = true;
                        work.push(target);
                    }
                }
            }
        }
        let lost = |index: &usize| {
            let slot = &self.allocs[*index];
            slot.life == Life::Live && matches!(slot.kind, AllocKind::Heap(_)) && !reached[*index]
        };
        (1..self.allocs.len()).filter(lost).map(|i| self.info_at(i)).collect()
    }
}
