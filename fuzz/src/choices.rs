//! Where a generator takes its decisions from: bytes, as libFuzzer or a seed gives them.
//!
//! A generated program is a function of these bytes. When they run out every decision takes its least value,
//! so that each generator ends whatever it is given.

use arbitrary::Unstructured;

/// Bytes that a seed is expanded to: more than a program of the default odds takes.
const LENGTH: usize = 16 << 10;

/// The bytes that a program is a function of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Draws(pub Vec<u8>);

/// A source of decisions.
pub struct Choices<'a>(Unstructured<'a>);

/// The bytes of a seed (SplitMix64: Steele, Lea, Flood, OOPSLA 2014).
pub fn bytes_of_seed(seed: u64) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let mut bytes = Vec::with_capacity(LENGTH);
    while bytes.len() < LENGTH {
        bytes.extend_from_slice(&next().to_le_bytes());
    }
    bytes
}

impl<'a> Choices<'a> {
    /// Decisions from bytes.
    pub fn new(bytes: &'a [u8]) -> Choices<'a> {
        Choices(Unstructured::new(bytes))
    }

    /// An integer between the two, both included.
    pub fn int(&mut self, low: i64, high: i64) -> i64 {
        self.0.int_in_range(low..=high.max(low)).unwrap_or(low)
    }

    /// An index below `count`, which is at least 1.
    pub fn index(&mut self, count: usize) -> usize {
        self.int(0, count as i64 - 1) as usize
    }

    /// Yes, in `percent` of a hundred cases. When the bytes have run out: no.
    pub fn chance(&mut self, percent: u32) -> bool {
        self.int(0, 99) >= 100 - i64::from(percent.min(100))
    }

    /// One of several.
    pub fn pick<T: Clone>(&mut self, from: &[T]) -> Option<T> {
        if from.is_empty() { None } else { from.get(self.index(from.len())).cloned() }
    }

    /// One of several, each with a weight.
    pub fn weighted<T: Copy>(&mut self, from: &[(u32, T)]) -> Option<T> {
        let total: u32 = from.iter().map(|(weight, _)| weight).sum();
        if total == 0 {
            return None;
        }
        let mut left = self.int(0, i64::from(total) - 1);
        for (weight, item) in from {
            left -= i64::from(*weight);
            if left < 0 {
                return Some(*item);
            }
        }
        None
    }

    /// A number with few digits, not zero, of at most this size.
    pub fn decimal(&mut self, size: f64) -> f64 {
        let steps = (size * 1000.0) as i64;
        let n = self.int(1, steps.max(1));
        let sign = if self.chance(40) { -1.0 } else { 1.0 };
        sign * n as f64 / 1000.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_always_gives_the_same_decisions() {
        let draw = |seed| {
            let bytes = bytes_of_seed(seed);
            let mut choices = Choices::new(&bytes);
            (0..50).map(|_| choices.int(0, 1000)).collect::<Vec<_>>()
        };
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
    }

    #[test]
    fn without_bytes_every_decision_is_the_least() {
        let mut choices = Choices::new(&[]);
        assert_eq!((choices.int(3, 9), choices.index(5), choices.chance(99)), (3, 0, false));
    }

    #[test]
    fn chances_come_out_as_stated() {
        let bytes = bytes_of_seed(1);
        let mut choices = Choices::new(&bytes);
        let yes = (0..4000).filter(|_| choices.chance(25)).count();
        assert!((800..1200).contains(&yes), "{yes} of 4000");
    }
}
