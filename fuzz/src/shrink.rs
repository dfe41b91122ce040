//! The search for a smaller value of which something is still true: greedy delta debugging (Zeller, Hildebrandt, IEEE
//! TSE 28(2), 2002).
//!
//! A value numbers its edits, large ones first. The search proposes them one by one, and keeps those after which what
//! matters is still there. It can be asked step by step, as proptest does, or driven by a function.

use crate::choices::Draws;

/// A value that can be made smaller.
pub trait Shrink: Clone + PartialEq {
    /// The value with its `n`-th edit carried out; none when it has no more.
    fn edit(&self, n: usize) -> Option<Self>;

    /// Is it a value that may be proposed?
    fn is_valid(&self) -> bool {
        true
    }
}

/// A search under way.
#[derive(Clone, Debug)]
pub struct Search<T> {
    /// The smallest value so far of which it is true.
    best: T,
    /// The value that is proposed.
    proposed: T,
    /// The edit that led to it.
    edit: usize,
    /// Has an edit of this round been kept?
    progress: bool,
}

impl<T: Shrink> Search<T> {
    /// A search that begins with a value of which it is true.
    pub fn new(value: T) -> Search<T> {
        Search { best: value.clone(), proposed: value, edit: 0, progress: false }
    }

    /// The value that is proposed.
    pub fn proposed(&self) -> &T {
        &self.proposed
    }

    /// It is true of what is proposed. Proposes the next; false if there is none.
    pub fn keep(&mut self) -> bool {
        if self.proposed != self.best {
            self.best = self.proposed.clone();
            self.progress = true;
        }
        self.propose()
    }

    /// It is not true of what is proposed. Proposes the next; false, and the best is what is proposed, if there is
    /// none.
    pub fn discard(&mut self) -> bool {
        self.edit += 1;
        self.propose()
    }

    fn propose(&mut self) -> bool {
        loop {
            match self.best.edit(self.edit) {
                Some(candidate) if candidate == self.best || !candidate.is_valid() => self.edit += 1,
                Some(candidate) => {
                    self.proposed = candidate;
                    return true;
                }
                // An edit that did not help may help now.
                None if self.progress => (self.edit, self.progress) = (0, false),
                None => {
                    self.proposed = self.best.clone();
                    return false;
                }
            }
        }
    }
}

/// Makes a value as small as it gets while `keeps` holds, with at most `limit` questions.
pub fn reduce<T: Shrink>(value: &T, limit: usize, mut keeps: impl FnMut(&T) -> bool) -> T {
    let mut search = Search::new(value.clone());
    let mut more = search.keep();
    for _ in 0..limit {
        if !more {
            break;
        }
        more = if keeps(search.proposed()) { search.keep() } else { search.discard() };
    }
    search.best
}

/// Decisions are left out in blocks that get smaller, from the end and then from the front; last, each block becomes
/// zeros, which is the least value of every decision.
impl Shrink for Draws {
    fn edit(&self, n: usize) -> Option<Draws> {
        let length = self.0.len();
        let mut left = n;
        let mut size = length.div_ceil(2);
        while size > 0 {
            let blocks = length.div_ceil(size);
            if left < 2 * blocks {
                let block = blocks - 1 - left % blocks;
                let (from, to) = (block * size, (block * size + size).min(length));
                let mut bytes = self.0.clone();
                if left < blocks {
                    bytes.drain(from..to);
                } else {
                    bytes[from..to].fill(0);
                }
                return Some(Draws(bytes));
            }
            left -= 2 * blocks;
            size = if size == 1 { 0 } else { size.div_ceil(2) };
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_what_matters() {
        let bytes: Vec<u8> = (0..=255).collect();
        let holds = |d: &Draws| d.0.contains(&37) && d.0.contains(&201);
        assert_eq!(reduce(&Draws(bytes), 10_000, holds), Draws(vec![37, 201]));
    }

    #[test]
    fn decisions_become_the_least_where_they_must_be_there() {
        let holds = |d: &Draws| d.0.len() >= 3 && d.0[1] == 9;
        assert_eq!(reduce(&Draws(vec![4, 9, 7, 1, 9, 3]), 10_000, holds), Draws(vec![0, 9, 0]));
    }

    #[test]
    fn questions_are_limited_and_the_answer_holds() {
        let mut asked = 0;
        let small = reduce(&Draws(vec![1; 100]), 7, |d| {
            asked += 1;
            d.0.len() > 60
        });
        assert_eq!(asked, 7);
        assert!(small.0.len() > 60);
    }
}
