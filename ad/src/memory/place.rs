//! Places: sets of byte offsets inside an object, `{start + k·stride | k ≥ 0}`.
//!
//! A pointer that walks an array has a place with the stride of its steps; a pointer to a field has
//! stride 0. Joining two places keeps the residue class that contains both (Granger's congruence
//! domain, 1989), which is finite in height: a stride only ever shrinks to a divisor.

/// A set of offsets in bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The first offset known.
    pub start: i64,
    /// The distance between offsets; 0 for the single offset `start`.
    pub stride: u64,
}

/// Greatest common divisor, with `gcd(0, n) = n`.
pub fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl Place {
    /// The single offset `start`.
    pub fn at(start: i64) -> Place {
        Place { start, stride: 0 }
    }

    /// Any offset at all.
    pub const ANY: Place = Place { start: 0, stride: 1 };

    /// The smallest place that contains both. A start that moved is widened at once to the
    /// smallest non-negative member, so that a pointer walking backwards converges.
    pub fn join(self, other: Place) -> Place {
        if self == other {
            return self;
        }
        let stride = gcd(gcd(self.stride, other.stride), self.start.abs_diff(other.start));
        if stride == 0 {
            return self;
        }
        let first = self.start.min(other.start);
        let start = if first < 0 { first.rem_euclid(stride as i64) - stride as i64 } else { first };
        let start = if other.start < self.start && self.stride != 0 { start.rem_euclid(stride as i64) } else { start };
        Place { start, stride }
    }

    /// Moved by a constant, and by any multiple of `stride`.
    pub fn moved(self, by: i64, stride: u64) -> Place {
        Place { start: self.start.wrapping_add(by), stride: gcd(self.stride, stride) }
    }

    /// Can `size` bytes at a member of `self` and `other_size` bytes at a member of `other` share a byte?
    /// Members below `start` are counted too: an index may be negative.
    pub fn overlaps(self, size: u64, other: Place, other_size: u64) -> bool {
        let stride = gcd(self.stride, other.stride);
        if stride == 0 {
            let (a, b) = (i128::from(self.start), i128::from(other.start));
            return a < b + i128::from(other_size) && b < a + i128::from(size);
        }
        let distance = (i128::from(other.start) - i128::from(self.start)).rem_euclid(i128::from(stride)) as u64;
        distance < size || stride - distance < other_size || distance == 0
    }

    /// Does a datum of `size` bytes at a member of this place cover offset `at`? Only members from `start` on.
    pub fn covers(self, size: u64, at: i64) -> Option<i64> {
        if at < self.start {
            return None;
        }
        let distance = (at - self.start) as u64;
        let within = if self.stride == 0 { distance } else { distance % self.stride };
        (within < size).then_some(at - within as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The members of a place within a window, by definition.
    fn members(p: Place) -> Vec<i64> {
        match p.stride {
            0 => vec![p.start],
            s => (-40..40).map(|k| p.start + k * s as i64).collect(),
        }
    }

    #[test]
    fn overlap_is_that_of_the_members() {
        for (s1, s2) in [(0, 0), (0, 8), (8, 8), (8, 12), (16, 24)] {
            for a in -9..20 {
                for b in -9..20 {
                    let (p, q) = (Place { start: a, stride: s1 }, Place { start: b, stride: s2 });
                    let truth = members(p).iter().any(|m| members(q).iter().any(|n| *m < n + 4 && *n < m + 8));
                    assert_eq!(p.overlaps(8, q, 4), truth, "{p:?} {q:?}");
                }
            }
        }
    }

    #[test]
    fn a_join_contains_both_and_chains_are_finite() {
        let mut p = Place::at(0);
        for step in [8, 16, 40, -8, -16, 12, 3, 1] {
            let q = p.join(Place::at(step));
            for m in [p.start, step] {
                let inside = q.stride == 0 && m == q.start || q.stride != 0 && (m - q.start) % q.stride as i64 == 0;
                assert!(inside, "{m} in {q:?}");
            }
            p = q;
        }
        assert_eq!(p.stride, 1);
    }
}
