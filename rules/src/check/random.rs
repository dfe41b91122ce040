//! The generator the samples of a row are drawn with.

use crate::row::{Range, Row};

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014), seeded by the operation: a row's samples do not depend on the other
/// rows.
pub(super) struct Random(u64);

impl Random {
    /// The generator of a row.
    pub(super) fn of(row: &Row) -> Random {
        Random(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(row.op as u64 + 1))
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from the range, as a double.
    pub(super) fn float(&mut self, range: &Range) -> f64 {
        match range {
            Range::Reals(low, high) => low + (high - low) * ((self.bits() >> 11) as f64 / (1u64 << 53) as f64),
            Range::Integers(..) => self.integer(range) as f64,
        }
    }

    /// An integer from the range.
    pub(super) fn integer(&mut self, range: &Range) -> i64 {
        match *range {
            Range::Integers(low, high) => low + (self.bits() % (high - low + 1) as u64) as i64,
            Range::Reals(low, high) => self.float(&Range::Reals(low, high)) as i64,
        }
    }
}
