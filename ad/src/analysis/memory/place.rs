//! Places: sets of byte offsets inside an object, `{start + k·stride + i·outer + j·step | k ≥ 0, i and j bounded}`.
//!
//! A pointer that walks an array has a place with the stride of its steps; a pointer to a field has stride 0; a pointer
//! into an array of known length has a bounded inner part, so that an array inside a structure inside an array stays
//! apart from its neighbours. Joining two places keeps one of them if it contains the other, or makes a bounded part of
//! a few single offsets; else it is the residue class that contains both (Granger's congruence domain, 1989). That is
//! finite in height: few offsets grow to [`FEW`], and a stride only ever shrinks to a divisor.

/// A set of offsets in bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The first offset known.
    pub start: i64,
    /// The distance between offsets of the unbounded part; 0 if there is none.
    pub stride: u64,
    /// The distance between offsets of the bounded part; 0 if there is none.
    pub step: u64,
    /// The number of offsets of the bounded part, at least 1.
    pub count: u64,
    /// The same of an array around that one.
    pub outer_step: u64,
    /// The same of an array around that one, at least 1.
    pub outer_count: u64,
}

/// Bounded parts of more offsets than this are taken for unbounded ones.
const MAX_COUNT: u64 = 1 << 20;

/// Single offsets that are kept apart when they are joined.
const FEW: u64 = 4;

/// Places whose bounded parts are enumerated where that is at most so long.
const MAX_PAIRS: u64 = 1 << 12;

/// Offsets beyond this are in no memory: as much as 48 bits address.
const FARTHEST: u64 = 1 << 48;

/// Greatest common divisor, with `gcd(0, n) = n`.
pub fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Least common multiple of strides; 0 is none.
pub fn lcm(a: u64, b: u64) -> u64 {
    if a == 0 || b == 0 { a.max(b) } else { (a / gcd(a, b)).saturating_mul(b) }
}

impl Place {
    /// The single offset `start`.
    pub fn at(start: i64) -> Place {
        Place::every(start, 0)
    }

    /// `start` and every multiple of `stride` behind it.
    pub fn every(start: i64, stride: u64) -> Place {
        Place { start, stride, step: 0, count: 1, outer_step: 0, outer_count: 1 }
    }

    /// Any offset at all.
    pub const ANY: Place = Place { start: 0, stride: 1, step: 0, count: 1, outer_step: 0, outer_count: 1 };

    /// Bytes from the first to the last offset of the bounded parts.
    pub fn extent(self) -> u64 {
        self.step * (self.count - 1) + self.outer_step * (self.outer_count - 1)
    }

    /// The place itself, or without its bounded parts where these do not fit into a stride or into each other: the
    /// outer one first.
    fn normal(self) -> Place {
        if self.stride != 0 && self.outer_count > 1 && self.outer_step.is_multiple_of(self.stride) {
            return Place { outer_step: 0, outer_count: 1, ..self }.normal();
        }
        if self.stride != 0 && self.count > 1 && self.step.is_multiple_of(self.stride) {
            return Place { step: 0, count: 1, ..self }.normal();
        }
        if self.count <= 1 && self.outer_count <= 1 {
            return Place::every(self.start, self.stride);
        }
        if self.count <= 1 {
            let (step, count) = (self.outer_step, self.outer_count);
            return Place { step, count, outer_step: 0, outer_count: 1, ..self }.normal();
        }
        let nested = self.outer_count <= 1 || self.step * (self.count - 1) < self.outer_step;
        let fits = nested && (self.stride == 0 || self.extent() < self.stride);
        if fits && self.count.saturating_mul(self.outer_count) <= MAX_COUNT {
            return self;
        }
        let stride = gcd(self.stride, self.outer_step);
        match self.outer_count > 1 && self.step * (self.count - 1) < stride {
            true => Place { stride, outer_step: 0, outer_count: 1, ..self }.normal(),
            false => self.unbounded(),
        }
    }

    /// The place without its innermost bounded part.
    fn outside(self) -> Place {
        Place { step: self.outer_step, count: self.outer_count, outer_step: 0, outer_count: 1, ..self }.normal()
    }

    /// The residue class that contains the place.
    fn unbounded(self) -> Place {
        Place::every(self.start, gcd(self.stride, gcd(self.outer_step, self.step)))
    }

    /// The smallest place that contains both. A start that moved is widened at once to the
    /// smallest non-negative member, so that a pointer walking backwards converges.
    pub fn join(self, other: Place) -> Place {
        if self.contains(other) {
            return self;
        }
        if other.contains(self) {
            return other;
        }
        if let Some(few) = self.few(other) {
            return few;
        }
        // The same array in several structures.
        if self.count > 1 && (self.step, self.count) == (other.step, other.count) {
            let joined = self.outside().join(other.outside()).within(self.step, self.count);
            if (joined.step, joined.count) == (self.step, self.count) {
                return joined;
            }
        }
        let (a, b) = (self.unbounded(), other.unbounded());
        let stride = gcd(gcd(a.stride, b.stride), a.start.abs_diff(b.start));
        if stride == 0 {
            return a;
        }
        let first = a.start.min(b.start);
        let start = if first < 0 { first.rem_euclid(stride as i64) - stride as i64 } else { first };
        let start = if b.start < a.start && a.stride != 0 { start.rem_euclid(stride as i64) } else { start };
        Place::every(start, stride)
    }

    /// The offsets of both, where these are few and evenly spaced: the fields of a structure that one function is given
    /// in turn, which must not be taken for all that lies behind them. A pointer that walks has soon more.
    fn few(self, other: Place) -> Option<Place> {
        let plain = |p: Place| p.stride == 0 && p.outer_count == 1 && p.count < FEW;
        let (low, high) = if self.start <= other.start { (self, other) } else { (other, self) };
        if !plain(low) || !plain(high) {
            return None;
        }
        let last = [low, high].map(|p| p.start.saturating_add_unsigned(p.extent())).into_iter().max()?;
        let step = gcd(gcd(low.step, high.step), high.start.abs_diff(low.start));
        let count = (last.abs_diff(low.start) / step.max(1)).saturating_add(1);
        (step > 0 && count <= FEW).then_some(Place {
            start: low.start,
            stride: 0,
            step,
            count,
            outer_step: 0,
            outer_count: 1,
        })
    }

    /// Is every offset of the other one of this? A `false` may be wrong.
    pub fn contains(self, other: Place) -> bool {
        if self == other {
            return true;
        }
        // A residue class must not swallow offsets before its start: those are how it learns of them.
        if self.stride == 0 && other.stride != 0 || self.stride != 0 && !other.stride.is_multiple_of(self.stride) {
            return false;
        }
        let bounded = self.extent() > 0 || other.extent() > 0;
        bounded
            && other.members_bounded() <= MAX_PAIRS
            && other.bounded_starts().all(|at| self.covers(1, at) == Some(at))
    }

    /// Is the other one of the offsets of this, or the same set of them? A `false` may be wrong.
    pub fn holds(self, other: Place) -> bool {
        self == other || other.stride == 0 && other.extent() == 0 && self.covers(1, other.start) == Some(other.start)
    }

    /// Is every offset of the other one of this array without bounds? A `false` may be wrong.
    pub fn includes(self, other: Place) -> bool {
        let steps = [other.stride, other.step, other.outer_step, other.start.abs_diff(self.start)];
        self == other
            || self.stride != 0
                && self.extent() == 0
                && other.start >= self.start
                && steps.iter().all(|step| step.is_multiple_of(self.stride))
    }

    /// Have the two an offset in common? A `false` may be wrong.
    pub fn meets(self, other: Place) -> bool {
        self.extent() == 0 && other.extent() == 0 && self.overlaps(1, other, 1)
    }

    /// The offsets of the bounded parts, in order.
    fn bounded_starts(self) -> impl Iterator<Item = i64> {
        let inner = move |i: u64| (0..self.count).map(move |j| i * self.outer_step + j * self.step);
        (0..self.outer_count).flat_map(inner).map(move |at| self.start.wrapping_add(at as i64))
    }

    fn members_bounded(self) -> u64 {
        self.count.saturating_mul(self.outer_count)
    }

    /// Moved by a constant, and by any multiple of `stride`. Where a key was added to an address and something unknown
    /// is taken off, the start says nothing: no memory is so large.
    pub fn moved(self, by: i64, stride: u64) -> Place {
        let (start, stride) = (self.start.wrapping_add(by), gcd(self.stride, stride));
        let start = match stride {
            1.. if start.unsigned_abs() > FARTHEST => start.rem_euclid(stride as i64),
            _ => start,
        };
        Place { start, stride, ..self }.normal()
    }

    /// Moved by `j·step` for any `j < count`.
    pub fn within(self, step: u64, count: u64) -> Place {
        if step == 0 || count <= 1 {
            return self;
        }
        if self.count > 1 && step.saturating_mul(count) < self.step {
            // An array in the structures of an array. Of three bounds the outermost is given up.
            let stride = match self.outer_count {
                1 => self.stride,
                _ if self.stride == 0 => self.outer_step,
                _ => gcd(self.stride, self.outer_step),
            };
            return Place { stride, step, count, outer_step: self.step, outer_count: self.count, ..self }.normal();
        }
        let inner = gcd(self.step, step);
        let extent = (self.step * (self.count - 1)).saturating_add(step.saturating_mul(count - 1));
        Place { step: inner, count: extent / inner + 1, ..self }.normal()
    }

    /// Each offset brought down to a multiple of `step`.
    pub fn floor(self, step: u64) -> Place {
        let down = |at: i64| at.div_euclid(step as i64).wrapping_mul(step as i64);
        let start = down(self.start);
        let stride = if self.stride.is_multiple_of(step) { self.stride } else { step };
        let bounded = [(self.step, self.count), (self.outer_step, self.outer_count)];
        let (whole, parts): (Vec<_>, Vec<_>) = bounded.into_iter().partition(|(by, _)| by.is_multiple_of(step));
        let extent: u64 = parts.iter().map(|(by, count)| by * (count - 1)).sum();
        let last = down(self.start.wrapping_add(extent as i64));
        let within = Place::every(start, stride).within(step, last.abs_diff(start) / step + 1);
        whole.into_iter().fold(within, |place, (by, count)| place.within(by, count))
    }

    /// Can `size` bytes at a member of `self` and `other_size` bytes at a member of `other` share a byte?
    /// Members below `start` are counted too: an index may be negative.
    pub fn overlaps(self, size: u64, other: Place, other_size: u64) -> bool {
        if self.members_bounded().saturating_mul(other.members_bounded()) > MAX_PAIRS {
            return self.unbounded().overlaps(size, other.unbounded(), other_size);
        }
        let stride = gcd(self.stride, other.stride);
        self.bounded_starts().any(|a| {
            other.bounded_starts().any(|b| {
                if stride == 0 {
                    let (a, b) = (i128::from(a), i128::from(b));
                    return a < b + i128::from(other_size) && b < a + i128::from(size);
                }
                let distance = (i128::from(b) - i128::from(a)).rem_euclid(i128::from(stride)) as u64;
                distance < size || stride - distance < other_size || distance == 0
            })
        })
    }

    /// Does a datum of `size` bytes at a member of this place cover offset `at`? Only members from `start` on.
    pub fn covers(self, size: u64, at: i64) -> Option<i64> {
        if at < self.start {
            return None;
        }
        let distance = at.abs_diff(self.start);
        let rest = if self.stride == 0 { distance } else { distance % self.stride };
        let outer = rest.checked_div(self.outer_step).unwrap_or(0).min(self.outer_count - 1) * self.outer_step;
        let rest = rest - outer;
        let inner = rest.checked_div(self.step).unwrap_or(0).min(self.count - 1) * self.step;
        (rest - inner < size).then(|| at - (rest - inner) as i64)
    }

    /// The members in an object of `size` bytes, or a few more; none where there are none. Of `bytes` bytes at a member
    /// one has to lie in the object, and members below `start` are counted too: an index may be negative.
    pub fn within_object(self, bytes: u64, size: i64) -> Option<Place> {
        const FAR: usize = 64;
        let lowest = 1 - bytes as i64;
        let mut members = self.down_to(lowest).members(lowest, size);
        let first = members.next()?;
        let Some(second) = members.next() else { return Some(Place::at(first)) };
        if (0..size).contains(&self.start) {
            return Some(self);
        }
        let others: Vec<i64> = members.take(FAR).collect();
        let step = first.abs_diff(second);
        let even = [first, second].iter().chain(&others).is_sorted_by(|a, b| a.abs_diff(**b) == step);
        Some(match others.len() < FAR && even {
            true => Place { stride: 0, step, count: others.len() as u64 + 2, ..Place::at(first) },
            false => self,
        })
    }

    /// The place with members down to `lowest`, or just below it: of an array whose index may be negative.
    pub fn down_to(self, lowest: i64) -> Place {
        if self.stride == 0 || lowest >= self.start {
            return self;
        }
        let times = self.start.abs_diff(lowest).div_ceil(self.stride);
        Place { start: self.start.saturating_sub_unsigned(times.saturating_mul(self.stride)), ..self }
    }

    /// The place without members of its innermost bounded part that are below `first`; none if there are no others.
    pub fn from(self, first: i64) -> Option<Place> {
        if self.stride != 0 || self.start >= first {
            return Some(self);
        }
        let below = self.start.abs_diff(first);
        if self.extent() < below {
            return None;
        }
        if self.outer_count > 1 || self.step == 0 {
            return Some(self);
        }
        let skipped = below.div_ceil(self.step);
        let start = self.start.saturating_add_unsigned(skipped * self.step);
        Some(Place { start, count: self.count - skipped, ..self }.normal())
    }

    /// The members in `[first, end)`, in order and one at a time: a window may hold more of them than fit into memory.
    pub fn members(self, first: i64, end: i64) -> impl Iterator<Item = i64> {
        // The multiples of a step in a window, as long as there are `count` of them.
        let multiples = |step: u64, count: u64, from: i128, to: i128| {
            let beyond = |distance: i128| match (distance <= 0, step) {
                (true, _) => 0,
                (false, 0) => i128::MAX,
                (false, _) => (distance + i128::from(step) - 1) / i128::from(step),
            };
            let count = i128::from(count).min(beyond(to));
            (if step == 0 { 0 } else { beyond(from) }..count).map(move |i| i * i128::from(step))
        };
        let (first, end) = (i128::from(first), i128::from(end));
        let inner_extent = i128::from(self.step) * i128::from(self.count - 1);
        let (start, extent) = (i128::from(self.start), i128::from(self.extent()));
        let count = if self.stride == 0 { 1 } else { u64::MAX };
        multiples(self.stride, count, first - start - extent, end - start)
            .map(move |by| start + by)
            .flat_map(move |base| {
                multiples(self.outer_step, self.outer_count, first - base - inner_extent, end - base)
                    .map(move |by| base + by)
            })
            .flat_map(move |base| {
                multiples(self.step, self.count, first - base, end - base).map(move |by| (base + by) as i64)
            })
            .filter(move |at| i128::from(*at) >= first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The members of a place within a window, by definition.
    fn members(p: Place) -> Vec<i64> {
        let range = if p.stride == 0 { 0..1 } else { -40..40 };
        range.flat_map(|k| (0..p.count).map(move |j| p.start + k * p.stride as i64 + (j * p.step) as i64)).collect()
    }

    #[test]
    fn overlap_is_that_of_the_members() {
        let shapes = [(0, 0), (0, 8), (8, 8), (8, 12), (16, 24)].map(|(a, b)| (Place::every(0, a), Place::every(0, b)));
        let inner = Place::every(0, 24).within(4, 3);
        for (p, q) in shapes.into_iter().chain([(inner, Place::every(0, 24)), (inner, Place::at(0).within(8, 2))]) {
            for a in -9..20 {
                for b in -9..20 {
                    let (p, q) = (p.moved(a, 0), q.moved(b, 0));
                    let truth = members(p).iter().any(|m| members(q).iter().any(|n| *m < n + 4 && *n < m + 8));
                    assert_eq!(p.overlaps(8, q, 4), truth, "{p:?} {q:?}");
                }
            }
        }
    }

    /// Each member at which a byte lies in the object is kept, and few others are.
    #[test]
    fn what_is_beyond_an_object_is_left_out() {
        let (size, bytes) = (40, 8);
        for start in -90..90 {
            for place in [Place::at(start), Place::every(start, 24), Place::at(start).within(24, 3)] {
                let inside = |p: Place| p.down_to(-7).members(1 - bytes, size).collect::<Vec<_>>();
                match place.within_object(bytes as u64, size) {
                    None => assert!(inside(place).is_empty(), "{place:?}"),
                    Some(kept) => assert_eq!(inside(kept), inside(place), "{place:?}"),
                }
            }
        }
        assert_eq!(Place::at(-2712).within_object(8, 40), None);
        assert_eq!(Place::at(-80).within(40, 4).within_object(8, 40), Some(Place::at(0)));
        assert_eq!(Place::every(-2000, 40).within_object(8, 120), Some(Place::at(0).within(40, 3)));
    }

    #[test]
    fn floors_are_those_of_the_members() {
        let places = [Place::at(5), Place::at(0).within(1, 2), Place::at(-3).within(1, 16), Place::every(4, 12)];
        let arrays = [Place::every(8, 24).within(4, 3), Place::at(16).within(24, 3).within(1, 8), Place::every(1, 16)];
        for place in places.into_iter().chain(arrays) {
            for step in [1, 2, 4, 8, 16] {
                let floor = place.floor(step);
                for member in members(place) {
                    let down = member.div_euclid(step as i64) * step as i64;
                    assert!(floor.overlaps(1, Place::at(down), 1), "{place:?} {step}: {member}");
                }
                assert!(members(floor).iter().all(|m| m % step as i64 == 0), "{place:?} {step}: {floor:?}");
            }
        }
        assert_eq!(Place::at(16).within(1, 2).floor(2), Place::at(16));
    }

    #[test]
    fn a_join_contains_both_and_chains_are_finite() {
        let mut p = Place::at(0);
        for step in [8, 16, 40, -8, -16, 12, 3, 1] {
            let q = p.join(Place::at(step));
            for m in [p.start, step] {
                let inside = match q.stride {
                    0 => q.bounded_starts().any(|at| at == m),
                    stride => (m - q.start) % stride as i64 == 0,
                };
                assert!(inside, "{m} in {q:?}");
            }
            p = q;
        }
        assert_eq!(p.stride, 1);
    }

    #[test]
    fn arrays_in_structures_stay_apart_from_their_neighbours() {
        // struct { int id; double x[2]; } s[…]: of the first and the third, moved by any number of structures.
        let [first, third] = [8, 56].map(|at| Place::at(at).within(8, 2));
        let two = Place::at(8).within(48, 2).within(8, 2);
        assert_eq!(two.moved(0, 24), Place::every(8, 24).within(8, 2));
        assert!(two.moved(0, 32).overlaps(8, Place::at(8 + 48 + 2 * 32 + 8), 8));
        assert_eq!(first.join(third), two);
        let walked = Place::every(32, 24).within(8, 2);
        for joined in [first.join(walked), two.join(walked), walked.join(third)] {
            assert!((0..9).all(|k| !joined.overlaps(8, Place::at(24 * k), 8)), "{joined:?}");
            assert!((0..9).all(|k| joined.overlaps(8, Place::at(24 * k + 16), 8)), "{joined:?}");
        }
    }

    #[test]
    fn a_few_fields_are_not_all_that_lies_behind_them() {
        let fields = Place::at(24).join(Place::at(40));
        assert_eq!(fields, Place::at(24).within(16, 2));
        assert!(!fields.overlaps(8, Place::at(56), 8) && !fields.overlaps(8, Place::at(32), 8));
        assert_eq!(Place::at(56).join(fields), Place::at(24).within(16, 3));
        assert_eq!(fields.join(Place::at(32)), Place::at(24).within(8, 3));
        assert_eq!(fields.join(Place::at(104)), Place::every(24, 16));
    }

    #[test]
    fn an_inner_array_covers_its_own_bytes_alone() {
        // struct { long tag; float v[3]; int n; } s[…], at s[i].v[j]
        let p = Place::every(8, 24).within(4, 3);
        for at in 0..96 {
            let covered = p.covers(4, at);
            let truth = (0..12).contains(&((at - 8).rem_euclid(24))) && at >= 8;
            assert_eq!(covered.is_some(), truth, "{at}");
            assert!(
                covered.is_none_or(|first| first <= at && at < first + 4 && (first - 8) % 4 == 0),
                "{at}: {covered:?}"
            );
        }
        assert_eq!(p.members(30, 70).collect::<Vec<_>>(), [32, 36, 40, 56, 60, 64]);
    }

    #[test]
    fn members_of_a_window_are_those_of_the_place_and_cost_nothing_before_they_are_asked_for() {
        let shapes = [Place::at(5), Place::every(-3, 7), Place::at(0).within(24, 3).within(1, 8), Place::every(4, 12)];
        let inner = [Place::every(8, 24).within(4, 3), Place::every(-8, 200).within(56, 3).within(8, 2)];
        for place in shapes.into_iter().chain(inner) {
            for (first, end) in [(-20, 60), (0, 1), (5, 6), (13, 40), (40, 13)] {
                let inside = |at: &i64| (first..end).contains(at);
                let all = (0..40).map(|k| Place { start: place.start + k * place.stride as i64, ..place });
                let all = all.take(if place.stride == 0 { 1 } else { 40 }).flat_map(Place::bounded_starts);
                assert!(place.members(first, end).eq(all.filter(inside)), "{place:?} {first} {end}");
            }
        }
        assert_eq!(Place::every(1, 1).members(i64::MAX - 2, i64::MAX).count(), 2);
        assert_eq!(Place::ANY.members(0, i64::MAX).nth(7), Some(7));
    }

    /// Addresses that a key has been added to are integers of any size.
    #[test]
    fn offsets_of_any_size_are_places() {
        let starts = [i64::MIN, i64::MIN + 1, -0x3738_2e6c_3738_2e6d, -8, 0, 24, 0x7000_0000_0000_0000, i64::MAX];
        let shapes = [(0, 1), (8, 3), (1, 1 << 20)];
        let places: Vec<Place> = starts
            .iter()
            .flat_map(|at| [0, 8, 24].map(|stride| Place::every(*at, stride)))
            .flat_map(|p| shapes.map(|(step, count)| p.within(step, count)))
            .collect();
        for p in &places {
            assert_eq!(p.covers(8, p.start), Some(p.start), "{p:?}");
            assert_eq!(p.members(p.start, p.start.saturating_add(1)).count(), usize::from(p.start < i64::MAX), "{p:?}");
            assert!(p.floor(8).start <= p.start || p.start < i64::MIN + 8, "{p:?}");
            for q in &places {
                assert!(p.overlaps(8, *q, 8) || p.start != q.start, "{p:?} {q:?}");
                let both = p.join(*q);
                assert!(
                    both.covers(1, p.start.max(q.start)).is_some() || both.start > p.start.max(q.start),
                    "{p:?} {q:?} {both:?}"
                );
                let moved = p.moved(8, 8);
                let start = p.start.wrapping_add(8);
                let congruent = (i128::from(moved.start) - i128::from(start)) % i128::from(moved.stride) == 0;
                let kept = moved.start == start || start.unsigned_abs() > FARTHEST && congruent;
                assert!(p.holds(*p) && kept, "{p:?}");
            }
        }
    }

    #[test]
    fn a_join_with_a_member_keeps_the_bound() {
        let p = Place::every(8, 24).within(4, 3);
        for member in [8, 12, 16, 32, 36] {
            assert_eq!(p.join(Place::at(member)), p);
            assert_eq!(Place::at(member).join(p), p);
        }
        assert_eq!(p.join(Place::at(20)), Place::every(8, 4));
        assert_eq!(Place::at(0).within(24, 3).within(8, 3), Place::at(0).within(8, 9));
        assert_eq!(Place::every(0, 16).within(8, 3), Place::every(0, 8));
        let three = Place::at(4).within(200, 4).within(56, 3).within(8, 2);
        assert_eq!(three, Place::every(4, 200).within(56, 3).within(8, 2));
        let members: Vec<i64> =
            (0..2).flat_map(|k| (0..3).flat_map(move |i| [0, 8].map(|j| 4 + 200 * k + 56 * i + j))).collect();
        assert_eq!(three.members(0, 400).collect::<Vec<_>>(), members);
        for at in 0..400 {
            let truth = members.iter().find(|m| **m <= at && at < **m + 8).copied();
            assert_eq!(three.covers(8, at), truth, "{at}");
        }
    }
}
