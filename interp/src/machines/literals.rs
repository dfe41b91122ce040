//! Lanes of literals: how far can the rounding of a program's constants move an answer?
//!
//! A literal such as `0.1`, or `1.0 / 3` folded by a compiler, stands for a real number that is up to half a unit in
//! the last place away. A *move* gives each literal that may have been rounded another number within that distance. The
//! move of a literal is a function of its format and its significand, so that the same number is moved alike wherever
//! it stands, with either sign and times any power of two: in primal and gradient it may be the same constant.
//! Different literals are moved independently.

use super::lane_set::{Each, LaneSet};
use crate::number;
use ir::FloatKind;
use ir::hash::HashMap;
use rug::Float;
use std::rc::Rc;

/// Which move each lane makes.
#[derive(Clone, Debug)]
pub struct Moves {
    /// The number of the move; none for a lane in which literals are what they are.
    of_lane: Rc<[Option<u32>]>,
    seed: u64,
    known: HashMap<(FloatKind, u128), LaneSet>,
}

impl Moves {
    /// Moves of these lanes.
    pub fn new(of_lane: impl IntoIterator<Item = Option<u32>>, seed: u64) -> Moves {
        Moves { of_lane: of_lane.into_iter().collect(), seed, known: HashMap::default() }
    }

    /// The lanes of a literal.
    pub fn lanes(&mut self, kind: FloatKind, bits: u128, precision: u32) -> LaneSet {
        if let Some(known) = self.known.get(&(kind, bits)) {
            return known.clone();
        }
        let lanes = match number::rounded_significand(kind, bits) {
            Some(significand) => self.moved(kind, bits, significand, precision),
            None => LaneSet::Concrete,
        };
        self.known.insert((kind, bits), lanes.clone());
        lanes
    }

    fn moved(&self, kind: FloatKind, bits: u128, significand: u128, precision: u32) -> LaneSet {
        let value = number::to_float(kind, bits, precision);
        // Relative to the number's own power of two, so that the same significand moves alike.
        let half = Float::with_val(precision, 1.0)
            << (value.get_exp().unwrap_or(0) - 1 - number::significand_bits(kind) as i32);
        let half = if value.is_sign_negative() { -half } else { half };
        let moved = |which: u32| half.clone() * part(self.seed, which, kind, significand) + &value;
        let lanes = (0u32..).zip(self.of_lane.iter());
        match self.of_lane.first() {
            // The first lane is where it was, as are all that no move is for.
            Some(None) => {
                let others: Vec<(u32, Float)> = lanes.filter_map(|(i, which)| Some((i, moved((*which)?)))).collect();
                LaneSet::Each(Rc::new(Each::new(value.clone(), others)))
            }
            _ => LaneSet::each(lanes.map(|(_, which)| which.map_or_else(|| value.clone(), moved)).collect()),
        }
    }
}

/// Which part of the half unit: 3/4 to 1, with either sign.
fn part(seed: u64, which: u32, kind: FloatKind, significand: u128) -> f64 {
    let words =
        [u64::from(which), number::significand_bits(kind).into(), significand as u64, (significand >> 64) as u64];
    let mix = |hash: u64, word: u64| {
        let mut z = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let hash = words.into_iter().fold(seed ^ 0x11_7e7a1, mix);
    let size = 0.75 + (hash >> 44) as f64 / f64::from(1u32 << 22);
    if hash & 1 == 0 { size } else { -size }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BITS: u32 = 256;

    fn lanes(x: f64) -> Vec<Float> {
        let mut moves = Moves::new([None, Some(0), Some(1)], 7);
        let lanes = moves.lanes(FloatKind::Double, x.to_bits().into(), BITS);
        (0..3).map(|lane| lanes.lane(lane).cloned().unwrap_or_else(|| Float::with_val(BITS, x))).collect()
    }

    #[test]
    fn literals_move_by_up_to_half_a_unit_and_short_ones_do_not() {
        let [own, one, other] = <[Float; 3]>::try_from(lanes(0.1)).unwrap();
        assert_eq!(own, 0.1);
        for moved in [&one, &other] {
            let apart = Float::with_val(BITS, moved - &own).abs();
            assert!(apart > 2f64.powi(-58) && apart <= 2f64.powi(-57), "{apart}");
        }
        assert_ne!(one, other);
        assert!(lanes(1.5).iter().all(|lane| *lane == 1.5));
    }

    #[test]
    fn the_same_number_moves_alike() {
        let relative = |x: f64| Float::with_val(BITS, &lanes(x)[1] / x) - 1;
        assert_eq!(relative(0.1), relative(-0.1 * 1024.0));
        assert_ne!(relative(0.1), relative(0.3));
    }
}
