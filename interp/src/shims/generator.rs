//! Pseudo-random numbers, bit for bit those of glibc.
//!
//! `rand` and `random` share glibc's default generator, the additive feedback generator of degree 31 and separation 3
//! ("TYPE_3"): o_i = o_(i-31) + o_(i-3) modulo 2³², of which the top 31 bits are given out. Its state starts from a
//! Lehmer sequence with multiplier 16807 modulo 2³¹ - 1, and the first 310 values are dropped. `drand48` and its like
//! are the linear congruence of POSIX.

const DEGREE: usize = 31;
const SEPARATION: usize = 3;

/// The state of all generators.
#[derive(Clone, Debug)]
pub struct Random {
    pub(super) state: [u32; DEGREE],
    /// Index of the oldest value.
    pub(super) oldest: usize,
    /// The 48 bits of `drand48`.
    pub(super) congruence: u64,
}

impl Random {
    /// The state at the start of a program: as after `srand(1)`.
    pub fn new() -> Random {
        let mut random = Random { state: [0; DEGREE], oldest: 0, congruence: 0 };
        random.seed(1);
        random
    }

    /// `srand`
    pub(super) fn seed(&mut self, seed: u32) {
        let mut word = if seed == 0 { 1 } else { seed as i32 };
        for slot in &mut self.state {
            *slot = word as u32;
            // 16807·word modulo 2³¹ - 1 without overflow (Schrage), for negative words as glibc computes it.
            let (high, low) = (word / 127_773, word % 127_773);
            word = 16_807i32.wrapping_mul(low).wrapping_sub(2_836i32.wrapping_mul(high));
            if word < 0 {
                word = word.wrapping_add(i32::MAX);
            }
        }
        // Values 31 to 33 repeat 0 to 2; the recurrence starts at the next.
        self.oldest = SEPARATION;
        for _ in 0..10 * DEGREE {
            self.next();
        }
    }

    /// `rand`
    pub(super) fn next(&mut self) -> i32 {
        let other = (self.oldest + DEGREE - SEPARATION) % DEGREE;
        let value = self.state[self.oldest].wrapping_add(self.state[other]);
        self.state[self.oldest] = value;
        self.oldest = (self.oldest + 1) % DEGREE;
        (value >> 1) as i32
    }

    /// One step of `drand48`'s congruence.
    pub(super) fn step48(&mut self) -> u64 {
        self.congruence = step48(self.congruence);
        self.congruence
    }
}

impl Default for Random {
    fn default() -> Self {
        Random::new()
    }
}

const BITS_48: u64 = (1 << 48) - 1;

pub(super) fn step48(x: u64) -> u64 {
    x.wrapping_mul(0x5_DEEC_E66D).wrapping_add(0xB) & BITS_48
}

pub(super) fn unit48(x: u64) -> f64 {
    x as f64 / (1u64 << 48) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values printed by a program linked with glibc 2.36.
    #[test]
    fn first_values_of_glibc() {
        let mut random = Random::new();
        let first: Vec<i32> = (0..5).map(|_| random.next()).collect();
        assert_eq!(first, [1_804_289_383, 846_930_886, 1_681_692_777, 1_714_636_915, 1_957_747_793]);
        random.seed(42);
        let first: Vec<i32> = (0..3).map(|_| random.next()).collect();
        assert_eq!(first, [71_876_166, 708_592_740, 1_483_128_881]);
        random.seed(3_000_000_000);
        let first: Vec<i32> = (0..3).map(|_| random.next()).collect();
        assert_eq!(first, [2_058_147_116, 854_483_408, 922_419_988]);
        assert_eq!(unit48(step48(0)), 3.907985046680551e-14);
    }
}
