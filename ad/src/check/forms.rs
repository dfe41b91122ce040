//! Addresses as polynomials, and what follows from them: which never meet, and which meet no cell twice.
//!
//! An address is a base that no loop changes, and a number of bytes: a sum of products of numbers and *leaves*, which
//! are values that are not looked into. Sums, products, shifts and changes of width are. Coefficients are integers of
//! 128 bits; what does not fit is not decided.
//!
//! *What goes round.* A width of 64 bits is that of addresses: there a polynomial is right modulo 2⁶⁴, whatever is
//! promised. It is the number itself (`exact`) if each step promises not to go round (LangRef, "nsw", "inbounds"). What
//! is computed in a narrower type is taken apart only where the primal promises that it does not go round as it is
//! read, with its sign or without one; else it is a leaf.
//!
//! *Never meet* (the GCD test of dependences: Allen & Kennedy, "Optimizing Compilers for Modern Architectures", §3.3):
//! two addresses of one base differ by a number and a multiple of the greatest common divisor of all coefficients,
//! but for leaves that no loop changes, which cancel. Modulo 2⁶⁴ only the power of two in that divisor counts.
//!
//! *Meet no cell twice.* Each loop around the store moves one leaf, a counter of that loop, which runs over an interval
//! of a known width. Sorted by their factors these are the digits of a number in a mixed radix: the least one moves the
//! address by at least the size of what is stored, and each by at least what all below it span together. The uppermost
//! may run as long as it likes, but for this: no run executes a store [`LONGEST`] times, so that exact addresses are
//! needed only where the uppermost factor is large.

use crate::analysis::context::Context;
use crate::base::regions::Shape;
use ir::gep::signed;
use ir::loops::LoopId;
use ir::{BinOp, BlockId, CastOp, InstKind, IntPred, Operand, Type, ValueId};
use std::collections::BTreeMap;

/// No run executes one store so often: at one a nanosecond that is more than three months.
const LONGEST: i128 = 1 << 53;

/// How deep a number is looked into, and how many products one has at most.
const DEPTH: usize = 40;
const PRODUCTS: usize = 32;

/// How a value that is narrower than an address is read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Reading {
    /// With its sign; so is every value of 64 bits.
    Signed,
    /// Without one.
    Unsigned,
}

/// A value that is not looked into.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Leaf {
    value: ValueId,
    reading: Reading,
}

/// A polynomial over leaves: the coefficient of each product, the number under the empty one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Form {
    products: BTreeMap<Vec<Leaf>, i128>,
    /// It may be another number by a multiple of 2⁶⁴.
    rounds: bool,
}

impl Form {
    fn number(number: i128) -> Form {
        Form { products: BTreeMap::from([(Vec::new(), number)]), rounds: false }.clean()
    }

    fn clean(mut self) -> Form {
        self.products.retain(|_, times| *times != 0);
        self
    }

    fn plus(mut self, other: &Form, times: i128) -> Option<Form> {
        for (product, by) in &other.products {
            let so_far = self.products.entry(product.clone()).or_insert(0);
            *so_far = so_far.checked_add(by.checked_mul(times)?)?;
        }
        self.rounds |= other.rounds;
        let out = self.clean();
        (out.products.len() <= PRODUCTS).then_some(out)
    }

    fn times(&self, other: &Form) -> Option<Form> {
        let mut out = Form { products: BTreeMap::new(), rounds: self.rounds || other.rounds };
        for (these, a) in &self.products {
            for (those, b) in &other.products {
                let mut product: Vec<Leaf> = these.iter().chain(those).copied().collect();
                product.sort_unstable();
                let so_far = out.products.entry(product).or_insert(0);
                *so_far = so_far.checked_add(a.checked_mul(*b)?)?;
            }
        }
        let out = out.clean();
        (out.products.len() <= PRODUCTS).then_some(out)
    }

    fn constant(&self) -> i128 {
        self.products.get(&Vec::new()).copied().unwrap_or(0)
    }

    fn as_number(&self) -> Option<i128> {
        self.products.keys().all(Vec::is_empty).then(|| self.constant())
    }
}

/// An access: where it goes, and how many bytes it takes.
#[derive(Clone, Debug)]
pub(super) struct Access {
    base: Operand,
    form: Form,
    size: i128,
}

/// Addresses of a function.
#[derive(Clone, Copy)]
pub(super) struct Forms<'a> {
    pub cx: &'a Context<'a>,
    pub shape: &'a Shape,
}

/// What a counter does.
struct Counter {
    /// By how much it moves in each iteration.
    step: i128,
    /// An interval that it does not leave in the block that is asked about: the least value, and what all values are
    /// less than, in the ways in which that can be written.
    interval: Option<(i128, Vec<Form>)>,
}

/// How a phi of a loop's header goes on.
struct Steps {
    start: Operand,
    next: Operand,
    step: i128,
    /// Its next value is promised not to go round, with a sign or without one.
    nsw: bool,
    nuw: bool,
}

/// A counter that moves an address: factors that no loop changes, a number, and what it does.
struct Digit {
    factors: Vec<Leaf>,
    times: i128,
    counter: Counter,
}

impl Forms<'_> {
    /// Where a pointer leads, and how many bytes are accessed there.
    pub fn access(&self, ptr: Operand, size: u64) -> Option<Access> {
        let (mut base, mut form) = (ptr, Form::default());
        while let Some(InstKind::Gep { elem_ty, flags, base: before, indices }) = self.kind(base) {
            let offset = ir::gep::offset(self.cx.m, *elem_ty, indices)?;
            form = form.plus(&Form::number(i128::from(offset.bytes)), 1)?;
            for (index, bytes) in offset.scaled {
                form = form.plus(&self.of(index, Reading::Signed, DEPTH)?, i128::from(bytes as i64))?;
            }
            form.rounds |= !flags.inbounds;
            base = *before;
        }
        self.is_fixed(base).then_some(Access { base, form, size: i128::from(size) })
    }

    /// Do two accesses never share a byte, whatever their counters are?
    pub fn never_meet(&self, one: &Access, other: &Access) -> bool {
        let decide = || {
            let (mut step, mut apart) = (0u128, other.form.constant().checked_sub(one.form.constant())?);
            let mut add = |times: i128| step = gcd(step, times.unsigned_abs());
            for (product, times) in &one.form.products {
                match product.iter().all(|leaf| self.is_fixed(Operand::Local(leaf.value))) {
                    true if product.is_empty() => {}
                    // The same number in both.
                    true => add(times.checked_sub(other.form.products.get(product).copied().unwrap_or(0))?),
                    false => add(*times),
                }
            }
            for (product, times) in &other.form.products {
                let fixed = product.iter().all(|leaf| self.is_fixed(Operand::Local(leaf.value)));
                if !(product.is_empty() || fixed && one.form.products.contains_key(product)) {
                    add(*times);
                }
            }
            let may_round = |access: &Access| access.form.rounds && !self.is_small(&access.form);
            if may_round(one) || may_round(other) {
                step = gcd(step, 1 << 64);
            }
            if step == 0 {
                return Some(apart >= one.size || -apart >= other.size);
            }
            let step = i128::try_from(step).ok()?;
            apart = apart.rem_euclid(step);
            Some(apart >= one.size && step - apart >= other.size)
        };
        one.base == other.base && decide().unwrap_or(false)
    }

    /// Is it so small a number that two of them differ by less than half of all addresses: is it made of narrow values
    /// and of counters alone, which no run takes far?
    fn is_small(&self, form: &Form) -> bool {
        let most = |leaf: &Leaf| match self.bits(Operand::Local(leaf.value)) {
            Some(bits @ ..64) => 1i128.checked_shl(bits),
            _ => {
                let steps = self.steps(leaf.value, self.counted(*leaf)?)?;
                let start = self.literal(steps.start)?.checked_abs()?;
                LONGEST.checked_mul(steps.step.checked_abs()?)?.checked_add(start)
            }
        };
        let sum = form.products.iter().try_fold(0i128, |sum, (product, times)| {
            let product = product.iter().try_fold(times.checked_abs()?, |so_far, leaf| so_far.checked_mul(most(leaf)?));
            sum.checked_add(product?)
        });
        sum.is_some_and(|sum| sum < 1 << 61)
    }

    /// Does an access in a block go to another place each time that the block is executed, in one call of the function?
    pub fn meets_no_cell_twice(&self, access: &Access, block: BlockId) -> bool {
        self.is_spread(access, block).is_some()
    }

    fn is_spread(&self, access: &Access, block: BlockId) -> Option<()> {
        let digits = self.digits(access, block)?;
        // What all digits so far span: a number times factors of which each is at least one.
        let (mut span, mut factors) = (access.size, Vec::new());
        // What of a factor the loop does not run over that has it for its length.
        let mut slack = 1i128;
        for (n, digit) in digits.iter().enumerate() {
            let room = digit.times.checked_abs()?;
            let moves = room.checked_mul(digit.counter.step.checked_abs()?)?;
            (digit.factors == factors && moves >= span && moves > 0).then_some(())?;
            let Some(next) = digits.get(n + 1) else {
                let far = moves.checked_mul(LONGEST)?.checked_mul(slack)?;
                let counted = factors.is_empty() || self.is_met_each_time(block);
                return (!access.form.rounds || far < 1 << 64 && counted).then_some(());
            };
            let (from, ends) = digit.counter.interval.as_ref()?;
            let longer = ends.iter().find_map(|to| self.width(to, *from, (room, digit.counter.step), next, &factors));
            let (reach, grown, skipped) = longer?;
            (span, factors) = (reach, grown);
            slack = slack.checked_mul(skipped)?;
        }
        // In no loop.
        Some(())
    }

    /// What a digit spans with all below it, as a number and factors, if these are the factors of the next one; and how
    /// many times longer than its loop runs that is at most, but for the number.
    fn width(
        &self,
        to: &Form,
        from: i128,
        (room, step): (i128, i128),
        next: &Digit,
        factors: &[Leaf],
    ) -> Option<(i128, Vec<Leaf>, i128)> {
        let width = to.clone().plus(&Form::number(from), -1)?;
        if let Some(number) = width.as_number() {
            // The last step may go beyond.
            let reach = room.checked_mul(number.checked_add(step)?.checked_sub(1)?)?;
            return (number > 0 && next.factors == factors).then(|| (reach, factors.to_vec(), 1));
        }
        // One value, or less.
        let value = width.products.keys().find(|product| !product.is_empty())?;
        let one = width.products.len() == 1 || width.products.len() == 2 && width.constant() < 0;
        (value.len() == 1 && width.products[value] == 1 && one && step == 1).then_some(())?;
        let mut grown = [factors, value.as_slice()].concat();
        grown.sort_unstable();
        (next.factors == grown).then(|| (room, grown, 1 - width.constant()))
    }

    /// The counters that move an address, one of each loop around the block, the least first.
    fn digits(&self, access: &Access, block: BlockId) -> Option<Vec<Digit>> {
        let mut loops: Vec<LoopId> = self.shape.loops.around(block).collect();
        let mut digits = Vec::new();
        for (product, times) in &access.form.products {
            let moved = |leaf: &Leaf| !self.is_fixed(Operand::Local(leaf.value));
            let (moving, factors): (Vec<Leaf>, Vec<Leaf>) = product.iter().partition(|leaf| moved(leaf));
            match moving.as_slice() {
                // The same in all iterations.
                [] => {}
                [leaf] => {
                    let of = self.counted(*leaf)?;
                    let at = loops.iter().position(|l| *l == of)?;
                    loops.remove(at);
                    digits.push(Digit { factors, times: *times, counter: self.counter(*leaf, of, block)? });
                }
                _ => return None,
            }
        }
        digits.sort_by_key(|digit| (digit.factors.len(), digit.times.saturating_mul(digit.counter.step).abs()));
        loops.is_empty().then_some(digits)
    }

    /// Is the block met in each iteration of each loop around it that is followed by another one?
    fn is_met_each_time(&self, block: BlockId) -> bool {
        let mut inner = block;
        self.shape.loops.around(block).all(|l| {
            let data = &self.shape.loops.loops[l];
            let met = data.latches.iter().all(|latch| self.shape.dom.dominates(inner, *latch));
            inner = data.header;
            met
        })
    }

    /// The loop of which a value is a counter, or may be.
    fn counted(&self, leaf: Leaf) -> Option<LoopId> {
        let block = self.shape.block(self.cx.func.def_inst(leaf.value)?)?;
        self.shape.header_of(block)
    }

    /// What a counter of a loop does, as an instruction in the block sees it.
    fn counter(&self, leaf: Leaf, of: LoopId, at: BlockId) -> Option<Counter> {
        let steps = self.steps(leaf.value, of)?;
        let interval = self.interval(leaf, (of, at), &steps);
        // A narrow number that may go round meets its values again.
        let promised = if leaf.reading == Reading::Signed { steps.nsw } else { steps.nuw };
        let wide = self.bits(Operand::Local(leaf.value))? == 64 && steps.step.unsigned_abs() < 1 << 10;
        let new = steps.step != 0 && (wide || promised || interval.is_some());
        new.then_some(Counter { step: steps.step, interval })
    }

    /// Between which numbers the counter is, where it goes up.
    fn interval(&self, leaf: Leaf, (of, at): (LoopId, BlockId), steps: &Steps) -> Option<(i128, Vec<Form>)> {
        let Steps { start, step, nsw, nuw, .. } = *steps;
        let data = &self.shape.loops.loops[of];
        let ([(from, out)], [latch]) = (data.exits.as_slice(), data.latches.as_slice()) else { return None };
        let Some(InstKind::CondBr { cond, then_to, else_to }) = self.end(*from) else { return None };
        let Some(InstKind::ICmp { pred, lhs, rhs }) = self.kind(*cond) else { return None };
        (then_to != else_to).then_some(())?;
        let stays = if then_to == out { inverse(*pred) } else { *pred };
        let (stays, (after, ahead), bound) = match [*lhs, *rhs].map(|o| self.compared(o, (leaf, of), step)) {
            [Some(found), None] => (stays, found, *rhs),
            [None, Some(found)] => (swapped(stays), found, *lhs),
            _ => return None,
        };
        let wide = self.bits(Operand::Local(leaf.value))? == 64;
        // Tested before the block is met, or before it is met again.
        let before = !after && *from == data.header && at != data.header && latch != from;
        let again = after && (from == latch || *from == data.header);
        let least = self.least(start)?;
        let mut ends = Vec::new();
        let mut written = vec![self.factor(bound, leaf.reading, DEPTH)?, self.of(bound, leaf.reading, DEPTH)?];
        if let Some(InstKind::Cast { op: CastOp::ZExt, value, flags, .. }) = self.kind(bound)
            && flags.nneg
        {
            // It is promised to be no negative number: with its sign or without one it is the same.
            let readings = [Reading::Signed, Reading::Unsigned].into_iter();
            written.extend(readings.filter_map(|reading| Self::leaf(*value, reading)));
        }
        for form in written {
            let fixed = form.products.keys().flatten().all(|leaf| self.is_fixed(Operand::Local(leaf.value)));
            if fixed && !form.rounds {
                ends.push(form.plus(&Form::number(ahead), 1)?);
            }
        }
        let number = ends.first().and_then(Form::as_number);
        let (signed, up) = (leaf.reading == Reading::Signed, step > 0);
        let told = match stays {
            // It is the other counter that is compared, which starts so much earlier.
            IntPred::Slt if ahead != 0 => before && step == 1 && wide,
            IntPred::Ult if ahead != 0 => before && step == 1 && wide && least >= ahead,
            IntPred::Slt if before => up && signed && (step == 1 || nsw),
            IntPred::Ult if before => up && (wide || !signed) && least >= 0 && (step == 1 || nuw),
            // It would have met its bound before it went round: a wide one, as no run is so long.
            IntPred::Ne => (before || again) && step == 1 && (wide || nsw && signed),
            // Once at least; a number tells that it is not more.
            IntPred::Slt if again => {
                let more = number.is_some_and(|to| to > least) && self.literal(start).is_some();
                up && signed && (step == 1 || nsw) && more
            }
            _ => false,
        };
        (told && !ends.is_empty()).then_some((least, ends))
    }

    /// Is it the counter, or its next value, or that of another counter of its loop that keeps its distance? Whether it
    /// is the next one, and how far the counter is ahead of it.
    fn compared(&self, operand: Operand, (leaf, of): (Leaf, LoopId), step: i128) -> Option<(bool, i128)> {
        let own = self.steps(leaf.value, of)?;
        let adds = match self.kind(operand) {
            Some(InstKind::Binary { op: BinOp::Add, lhs, rhs, .. }) => {
                [(*lhs, *rhs), (*rhs, *lhs)].into_iter().find(|(base, by)| {
                    let counts = base.local().is_some_and(|v| self.steps(v, of).is_some());
                    counts && self.literal(*by) == Some(step)
                })
            }
            _ => None,
        };
        let next = operand == own.next;
        let (base, after) = match adds {
            _ if next => (Operand::Local(leaf.value), true),
            Some((base, _)) => (base, true),
            None => (operand, false),
        };
        if base == Operand::Local(leaf.value) {
            return Some((after, 0));
        }
        let other = self.steps(base.local()?, of)?;
        let wide = [base, Operand::Local(leaf.value)].into_iter().all(|o| self.bits(o) == Some(64));
        let alike = wide && other.step == step;
        alike.then(|| self.literal(own.start)?.checked_sub(self.literal(other.start)?).map(|ahead| (after, ahead)))?
    }

    /// Where a phi of a loop's header starts, what comes next, and the number between two of them.
    fn steps(&self, v: ValueId, of: LoopId) -> Option<Steps> {
        let home = self.shape.block(self.cx.func.def_inst(v)?);
        let Some(InstKind::Phi { incoming, .. }) = self.kind(Operand::Local(v)) else { return None };
        (home == Some(self.shape.loops.loops[of].header)).then_some(())?;
        let only = |within: bool| {
            let mut all = incoming.iter().filter(|(_, b)| self.shape.loops.contains(of, *b) == within).map(|(o, _)| *o);
            let first = all.next()?;
            all.all(|o| o == first).then_some(first)
        };
        let (start, next, own) = (only(false)?, only(true)?, Operand::Local(v));
        let Some(InstKind::Binary { op, lhs, rhs, flags, .. }) = self.kind(next) else { return None };
        let step = match op {
            BinOp::Add if *lhs == own => self.literal(*rhs)?,
            BinOp::Add if *rhs == own => self.literal(*lhs)?,
            BinOp::Sub if *lhs == own => self.literal(*rhs)?.checked_neg()?,
            _ => return None,
        };
        Some(Steps { start, next, step, nsw: flags.nsw, nuw: flags.nuw })
    }

    /// The least number that a counter may start with: a number, or another counter that goes up from one.
    fn least(&self, start: Operand) -> Option<i128> {
        if let Some(number) = self.literal(start) {
            return Some(number);
        }
        let leaf = Leaf { value: start.local()?, reading: Reading::Signed };
        let of = self.counted(leaf)?;
        let Some(InstKind::Phi { incoming, .. }) = self.kind(start) else { return None };
        let first = incoming.iter().find(|(_, b)| !self.shape.loops.contains(of, *b))?.0;
        let counter = self.counter(leaf, of, self.shape.loops.loops[of].header)?;
        (counter.step > 0 && self.bits(start)? == 64).then(|| self.literal(first))?
    }

    /// An integer as a polynomial.
    fn of(&self, operand: Operand, reading: Reading, depth: usize) -> Option<Form> {
        if let Some(number) = self.constant(operand, reading) {
            return Some(Form::number(number));
        }
        let wide = self.bits(operand)? == 64;
        let reading = if wide { Reading::Signed } else { reading };
        self.parts(operand, (reading, wide), depth).or_else(|| Self::leaf(operand, reading))
    }

    /// The same of a factor, or of the end of an interval: what no loop changes is one value there.
    fn factor(&self, operand: Operand, reading: Reading, depth: usize) -> Option<Form> {
        if self.constant(operand, reading).is_some() || !self.is_fixed(operand) {
            return self.of(operand, reading, depth);
        }
        let deeper = depth.checked_sub(1)?;
        let reading = if self.bits(operand)? == 64 { Reading::Signed } else { reading };
        match self.kind(operand) {
            Some(InstKind::Cast { op: CastOp::SExt, value, .. }) if reading == Reading::Signed => {
                self.factor(*value, Reading::Signed, deeper)
            }
            Some(InstKind::Cast { op: CastOp::ZExt, value, flags, .. }) => {
                self.factor(*value, self.widened(*value, flags.nneg), deeper)
            }
            _ => Self::leaf(operand, reading),
        }
    }

    fn leaf(operand: Operand, reading: Reading) -> Option<Form> {
        let leaf = Leaf { value: operand.local()?, reading };
        Some(Form { products: BTreeMap::from([(vec![leaf], 1)]), rounds: false })
    }

    fn constant(&self, operand: Operand, reading: Reading) -> Option<i128> {
        let bits = self.cx.m.as_int(operand)?;
        match reading {
            Reading::Unsigned if self.bits(operand)? < 64 => i128::try_from(bits).ok(),
            _ => Some(i128::from(signed(self.cx.m, operand, bits))),
        }
    }

    /// An integer that is computed from others, if it is the number that these give.
    fn parts(&self, operand: Operand, (reading, wide): (Reading, bool), depth: usize) -> Option<Form> {
        let deeper = depth.checked_sub(1)?;
        let of = |o: Operand| self.of(o, reading, deeper);
        let factor = |o: Operand| self.factor(o, reading, deeper);
        match self.kind(operand)? {
            InstKind::Binary { op: BinOp::Or, lhs, rhs, flags, .. } if flags.disjoint => of(*lhs)?.plus(&of(*rhs)?, 1),
            InstKind::Binary { op, lhs, rhs, flags, .. } => {
                let promised = if reading == Reading::Signed { flags.nsw } else { flags.nuw };
                (promised || wide && !self.is_fixed(operand)).then_some(())?;
                let mut form = match op {
                    BinOp::Add => of(*lhs)?.plus(&of(*rhs)?, 1)?,
                    BinOp::Sub => of(*lhs)?.plus(&of(*rhs)?, -1)?,
                    BinOp::Mul => factor(*lhs)?.times(&factor(*rhs)?)?,
                    BinOp::Shl => {
                        let by = self.literal(*rhs).filter(|by| (0..32).contains(by))?;
                        factor(*lhs)?.times(&Form::number(1 << by))?
                    }
                    _ => return None,
                };
                form.rounds |= !promised;
                Some(form)
            }
            InstKind::Cast { op: CastOp::SExt, value, .. } if reading == Reading::Signed => {
                self.of(*value, Reading::Signed, deeper)
            }
            InstKind::Cast { op: CastOp::ZExt, value, flags, .. } => {
                self.of(*value, self.widened(*value, flags.nneg), deeper)
            }
            _ => None,
        }
    }

    /// How a value is read that is widened without its sign. What is promised to be no negative number is the same
    /// with its sign, unless only the other promise tells how it is computed.
    fn widened(&self, value: Operand, no_sign: bool) -> Reading {
        let unsigned = matches!(self.kind(value), Some(InstKind::Binary { flags, .. }) if flags.nuw && !flags.nsw);
        if no_sign && !unsigned { Reading::Signed } else { Reading::Unsigned }
    }

    fn bits(&self, operand: Operand) -> Option<u32> {
        match self.cx.m.types.get(self.cx.ty(operand)) {
            Type::Int(bits @ 1..=64) => Some(*bits),
            _ => None,
        }
    }

    fn literal(&self, operand: Operand) -> Option<i128> {
        self.cx.m.as_int(operand).map(|bits| i128::from(signed(self.cx.m, operand, bits)))
    }

    fn kind(&self, operand: Operand) -> Option<&InstKind> {
        Some(&self.cx.func.insts[self.cx.func.def_inst(operand.local()?)?].kind)
    }

    fn end(&self, block: BlockId) -> Option<&InstKind> {
        Some(&self.cx.func.insts[self.cx.func.terminator(block)?].kind)
    }

    /// Is it the same in one call of the function: no value that a loop makes?
    fn is_fixed(&self, operand: Operand) -> bool {
        let made = operand.local().and_then(|v| self.cx.func.def_inst(v));
        made.is_none_or(|inst| self.shape.block(inst).is_some_and(|b| self.shape.region(b).is_none()))
    }
}

/// The greatest common divisor.
fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The comparison that holds where the other does not.
pub(super) fn inverse(pred: IntPred) -> IntPred {
    match pred {
        IntPred::Eq => IntPred::Ne,
        IntPred::Ne => IntPred::Eq,
        IntPred::Ugt => IntPred::Ule,
        IntPred::Uge => IntPred::Ult,
        IntPred::Ult => IntPred::Uge,
        IntPred::Ule => IntPred::Ugt,
        IntPred::Sgt => IntPred::Sle,
        IntPred::Sge => IntPred::Slt,
        IntPred::Slt => IntPred::Sge,
        IntPred::Sle => IntPred::Sgt,
    }
}

/// The comparison with its sides exchanged.
pub(super) fn swapped(pred: IntPred) -> IntPred {
    match pred {
        IntPred::Eq | IntPred::Ne => pred,
        IntPred::Ugt => IntPred::Ult,
        IntPred::Uge => IntPred::Ule,
        IntPred::Ult => IntPred::Ugt,
        IntPred::Ule => IntPred::Uge,
        IntPred::Sgt => IntPred::Slt,
        IntPred::Sge => IntPred::Sle,
        IntPred::Slt => IntPred::Sgt,
        IntPred::Sle => IntPred::Sge,
    }
}
