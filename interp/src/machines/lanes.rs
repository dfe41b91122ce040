//! Multi-precision lanes: beside every floating-point value rides the same computation in multi-precision arithmetic,
//! once for each lane, along the concrete control path.
//!
//! What the lanes are is the user's choice: x, x + hv, x - hv for a reference derivative
//! ([`Directions`](crate::machines::directions::Directions)); x alone, or x and a perturbed x, for a gradient's own
//! arithmetic without rounding. An input gets its lanes before the run, by
//! [`Memory::set_shadow`](crate::memory::Memory::set_shadow) for cells (see [`cells`](super::cells) for which) or as
//! the shadow of an argument ([`Value::shadowed`](crate::value::Value::shadowed)). A value without lanes is exact: all
//! its lanes are the concrete value.
//!
//! Operations are computed by MPFR through the table's primal functions; no derivative is involved. Operations that
//! select or jump (minimum, absolute value, rounding to integer, remainder) follow the piece that the concrete run is
//! on, as branches do, and what the lanes think of that piece is an event. So do sums with a constant that
//! [round](super::rounding).

use super::decide;
use super::events::{Decision, EventKind, Events};
use super::lane_set::{Each, LaneSet};
use super::literals::Moves;
use super::planted;
use super::rounding;
use crate::forgets::Forgets;
use crate::machine::{CompareEvent, FloatArg, FloatEvent, FloatOp, Loss, Machine};
use crate::memory::Memory;
use crate::number;
use crate::outcome::Location;
use crate::value::{Leaf, Pointer};
use ir::FloatKind;
use rug::Float;
use rules::{Op, Point};
use smallvec::SmallVec;
use std::rc::Rc;

/// Whether events are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// The run of a primal: kinks, conventions, losses and decisions by rounding are recorded.
    Primal,
    /// The run of a gradient: only losses are recorded.
    Gradient,
}

/// The machine.
#[derive(Clone)]
pub struct Lanes {
    /// What happened beside the numbers.
    pub events: Events,
    count: usize,
    precision: u32,
    mode: Mode,
    underflow: bool,
    forgets: Option<Forgets>,
    moves: Option<Moves>,
}

/// An operand as the lanes see it.
pub(super) enum Operand<'a> {
    /// The same number in all lanes, made from the concrete value.
    Concrete(Float),
    /// The same number in all lanes.
    Same(&'a Float),
    /// A number for each lane.
    Each(&'a Each),
}

impl Operand<'_> {
    /// The operand in a lane.
    pub(super) fn lane(&self, index: usize) -> &Float {
        match self {
            Operand::Concrete(value) => value,
            Operand::Same(value) => value,
            Operand::Each(lanes) => lanes.get(index),
        }
    }

    pub(super) fn is_active(&self) -> bool {
        matches!(self, Operand::Each(_))
    }
}

pub(super) type Operands<'a> = SmallVec<[Operand<'a>; 4]>;

/// The lanes, beside the first, in which an operand may differ from its first lane; ascending.
fn varying(operands: &[Operand<'_>]) -> SmallVec<[u32; 8]> {
    let mut all = SmallVec::new();
    for operand in operands {
        if let Operand::Each(lanes) = operand {
            all.extend(lanes.indices());
        }
    }
    if operands.iter().filter(|operand| operand.is_active()).count() > 1 {
        all.sort_unstable();
        all.dedup();
    }
    all
}

/// A value in the first lane and in those that vary; none if there is none in one of them.
fn in_each(varying: &[u32], value: impl Fn(usize) -> Option<Float>) -> Option<Rc<Each>> {
    let first = value(0)?;
    // As many as it takes and no more: there are hundreds of millions of these.
    let mut others = Vec::with_capacity(varying.len());
    for lane in varying {
        others.push((*lane, value(*lane as usize)?));
    }
    Some(Rc::new(Each::new(first, others)))
}

impl Lanes {
    /// `count` lanes of `precision` bits (at least [`number::EXACT`]).
    pub fn new(count: usize, precision: u32, mode: Mode) -> Lanes {
        Lanes {
            events: Events::default(),
            count: count.max(1),
            precision: precision.max(number::EXACT),
            mode,
            underflow: false,
            forgets: None,
            moves: None,
        }
    }

    /// Literals that may have been rounded are moved in the lanes.
    #[must_use]
    pub fn with_moves(mut self, moves: Moves) -> Lanes {
        self.moves = Some(moves);
        self
    }

    /// What is too small for its format is zero in the lanes too, as it is around the concrete point.
    #[must_use]
    pub fn with_underflow(mut self) -> Lanes {
        self.underflow = true;
        self
    }

    /// The same with a fault.
    #[must_use]
    pub fn forgetting(mut self, what: Option<Forgets>) -> Lanes {
        self.forgets = what;
        self
    }

    /// How many lanes there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Bits of each lane.
    pub fn precision(&self) -> u32 {
        self.precision
    }

    /// All lanes of a value of the run.
    pub fn values(&self, kind: FloatKind, bits: u128, lanes: &LaneSet) -> Vec<Float> {
        let operand = self.operand(&FloatArg { kind, bits, shadow: lanes });
        (0..self.count).map(|i| operand.lane(i).clone()).collect()
    }

    /// One lane of a value of the run.
    pub fn value(&self, kind: FloatKind, bits: u128, lanes: &LaneSet, lane: usize) -> Float {
        lanes.lane(lane).cloned().unwrap_or_else(|| number::to_float(kind, bits, self.precision))
    }

    /// All lanes of a memory cell; none if it is not accessible or not initialised.
    pub fn cell(&self, memory: &Memory<LaneSet>, pointer: Pointer, kind: FloatKind) -> Option<Vec<Float>> {
        let leaf = Leaf::Float(kind);
        let value = memory.load(pointer, leaf, 1).ok().filter(|value| value.is_init())?;
        let lanes = memory.shadow(pointer, leaf.store_size()).cloned().unwrap_or_default();
        Some(self.values(kind, value.bits(), &lanes))
    }

    fn operand<'a>(&self, arg: &FloatArg<'a, LaneSet>) -> Operand<'a> {
        self.lanes_of(arg.shadow, arg)
    }

    fn lanes_of<'a>(&self, lanes: &'a LaneSet, arg: &FloatArg<'a, LaneSet>) -> Operand<'a> {
        match lanes {
            LaneSet::Concrete => Operand::Concrete(number::to_float(arg.kind, arg.bits, self.precision)),
            LaneSet::Same(value) => Operand::Same(value),
            LaneSet::Each(lanes) => Operand::Each(lanes),
            LaneSet::Shifted(sum) => self.lanes_of(&sum.lanes, arg),
        }
    }

    /// One number for all lanes, or none if the concrete run has not rounded it.
    fn constant(&self, value: Float, kind: FloatKind, concrete: u128) -> LaneSet {
        let exact = number::to_float(kind, concrete, self.precision);
        let same = if value.is_zero() && exact.is_zero() {
            value.is_sign_negative() == exact.is_sign_negative()
        } else {
            value == exact || (value.is_nan() && exact.is_nan())
        };
        if same { LaneSet::Concrete } else { LaneSet::same(value) }
    }

    /// Conversions keep the number: in exact arithmetic a format has no say.
    fn convert(&self, event: &FloatEvent<'_, LaneSet>) -> LaneSet {
        match event.args {
            [arg] if arg.shadow.lane(0).is_some() => arg.shadow.clone(),
            [arg] => self.constant(number::to_float(arg.kind, arg.bits, self.precision), event.kind, event.result),
            _ => LaneSet::Concrete,
        }
    }

    fn rule(&mut self, op: Op, event: &FloatEvent<'_, LaneSet>) -> LaneSet {
        let constant = event.args.iter().all(|arg| matches!(arg.shadow, LaneSet::Concrete));
        if constant && is_exact(op, event) {
            return LaneSet::Concrete;
        }
        let operands: Operands<'_> = event.args.iter().map(|arg| self.operand(arg)).collect();
        let ints: SmallVec<[i64; 2]> = event.ints.iter().map(|n| clamp(*n)).collect();
        let active = operands.iter().any(Operand::is_active);
        let primal = self.mode == Mode::Primal && active;
        if primal {
            self.conventions(op, event, &ints);
        }
        if decide::selects(op) {
            return self.select(op, event, &operands, active);
        }
        if let Some(sum) = rounding::taken_off(event, |lanes| lanes.shifted().map(|sum| sum.shift)) {
            if primal {
                self.jumps(op, event, &operands, sum);
            }
            return LaneSet::Concrete;
        }
        let (shift, bits) = (rounding::shift(event), number::significand_bits(event.kind));
        let value = |lane| evaluate(op, event.output, &operands, &ints, lane, self.precision);
        if !active {
            return match value(0) {
                Some(value) => self.constant(value, event.kind, event.result).shifted_by(shift, bits),
                None => LaneSet::Concrete,
            };
        }
        let Some(lanes) = in_each(&varying(&operands), value) else { return LaneSet::Concrete };
        if primal {
            self.rounded(op, event, (&operands, &ints, lanes.first()));
        }
        if primal && lanes.distinct().any(|l| !l.is_finite()) {
            self.domain(op, event, &operands);
        }
        LaneSet::Each(lanes).shifted_by(shift, bits)
    }

    /// Records what the lanes think of a sum whose constant is taken off: between jumps all round to what the concrete
    /// run has.
    fn jumps(&mut self, op: Op, event: &FloatEvent<'_, LaneSet>, operands: &Operands<'_>, sum: usize) {
        let (arg, lanes) = (&event.args[sum], &operands[sum]);
        let bits = number::significand_bits(arg.kind);
        let rounded = |lane| Some(Float::with_val(bits, lanes.lane(lane)));
        let concrete = Float::with_val(bits, number::to_float(arg.kind, arg.bits, self.precision));
        let lanes = varying(std::slice::from_ref(lanes));
        let verdict = judge(std::iter::once(0).chain(lanes.iter().map(|l| *l as usize)).map(rounded), Some(concrete));
        self.decision(verdict, Decision::Select(op), event.at, || doubles(event.args));
    }

    /// An operation on pieces: every lane stays on the piece of the concrete run.
    fn select(&mut self, op: Op, event: &FloatEvent<'_, LaneSet>, operands: &Operands<'_>, active: bool) -> LaneSet {
        let concrete: SmallVec<[Float; 4]> =
            event.args.iter().map(|a| number::to_float(a.kind, a.bits, self.precision)).collect();
        let result = number::to_float(event.kind, event.result, self.precision);
        let varying = varying(operands);
        if self.mode == Mode::Primal {
            let own = decide::piece(op, &|i| concrete.get(i));
            let lanes = std::iter::once(0).chain(varying.iter().map(|l| *l as usize));
            let pieces = lanes.map(|l| decide::piece(op, &|i| operands.get(i).map(|x| x.lane(l))));
            let verdict = judge(pieces, own);
            self.decision(verdict, Decision::Select(op), event.at, || doubles(event.args));
        }
        let point = decide::Concrete { op, output: event.output, operands: &concrete, result: &result };
        let value = |lane| point.lane(&|i| operands.get(i).map(|x| x.lane(lane)), self.precision);
        if active {
            return in_each(&varying, value).map_or(LaneSet::Concrete, LaneSet::Each);
        }
        value(0).map_or(LaneSet::Concrete, |value| self.constant(value, event.kind, event.result))
    }

    /// Records what the lanes think of a decision.
    fn decision(&mut self, verdict: Verdict, what: Decision, at: Location, operands: impl FnOnce() -> Vec<f64>) {
        match verdict {
            Verdict::Agree => {}
            Verdict::Split => self.events.record(EventKind::Kink(what), at, operands),
            Verdict::Otherwise => self.events.record(EventKind::Rounding(what), at, operands),
        }
    }

    /// Records the conventions of the table that speak at the concrete operands, for operands that depend on the
    /// inputs.
    fn conventions(&mut self, op: Op, event: &FloatEvent<'_, LaneSet>, ints: &[i64]) {
        let row = op.row();
        if row.conventions.is_empty() || event.args.len() < row.float_positions().count() {
            return;
        }
        let x: SmallVec<[Float; 4]> =
            event.args.iter().map(|a| number::to_float(a.kind, a.bits, number::EXACT)).collect();
        let y = number::to_float(event.kind, event.result, number::EXACT);
        let point = Point { x: &x, n: ints, y: &y };
        for convention in row.conventions.iter().filter(|c| c.output == event.output) {
            let active = event.args.get(convention.operand).is_some_and(|a| a.shadow.is_active());
            if active && convention.ints.len() <= ints.len() && convention.when.holds(&point) {
                let (output, operand, exception) = (convention.output, convention.operand, convention.reason);
                let kind = EventKind::Convention { op, output, operand, exception };
                self.events.record(kind, event.at, || doubles(event.args));
            }
        }
    }

    /// Records conventions of the table that speak at the operands in exact arithmetic, and only there: the concrete
    /// run is beside that point by rounding alone.
    fn rounded(
        &mut self,
        op: Op,
        event: &FloatEvent<'_, LaneSet>,
        (operands, ints, y): (&Operands<'_>, &[i64], &Float),
    ) {
        let row = op.row();
        if row.conventions.is_empty() || operands.len() < row.float_positions().count() {
            return;
        }
        let x: SmallVec<[Float; 4]> = operands.iter().map(|x| x.lane(0).clone()).collect();
        let exact = Point { x: &x, n: ints, y };
        for convention in row.conventions.iter().filter(|c| c.output == event.output && c.ints.len() <= ints.len()) {
            let active = operands.get(convention.operand).is_some_and(Operand::is_active);
            if !active || !convention.when.holds(&exact) {
                continue;
            }
            let own: SmallVec<[Float; 4]> =
                event.args.iter().map(|a| number::to_float(a.kind, a.bits, number::EXACT)).collect();
            let concrete = number::to_float(event.kind, event.result, number::EXACT);
            if !convention.when.holds(&Point { x: &own, n: ints, y: &concrete }) {
                let kind = EventKind::Rounded { op, exception: convention.reason };
                self.events.record(kind, event.at, || doubles(event.args));
            }
        }
    }

    /// Records that a lane left the domain here, unless it had left before or the concrete run left too.
    fn domain(&mut self, op: Op, event: &FloatEvent<'_, LaneSet>, operands: &Operands<'_>) {
        let inside = number::to_float(event.kind, event.result, number::EXACT).is_finite();
        let before = operands.iter().all(|x| match x {
            Operand::Concrete(x) => x.is_finite(),
            Operand::Same(x) => x.is_finite(),
            Operand::Each(x) => x.distinct().all(Float::is_finite),
        });
        if inside && before {
            self.events.record(EventKind::Domain(op), event.at, || doubles(event.args));
        }
    }

    /// The lanes of a result.
    fn result(&mut self, event: &FloatEvent<'_, LaneSet>) -> LaneSet {
        let lanes = match event.op {
            FloatOp::Convert => self.convert(event),
            FloatOp::FromInt => match event.ints {
                [n] => self.constant(Float::with_val(self.precision, *n), event.kind, event.result),
                _ => LaneSet::Concrete,
            },
            FloatOp::Rule(op) => self.rule(op, event),
        };
        let underflows = |x: &Float| {
            let small = x.get_exp().is_some_and(|exponent| exponent <= number::least_exponent(event.kind));
            small && number::to_float(event.kind, event.result, number::EXACT).is_zero()
        };
        match self.underflow && lanes.lane(0).is_some_and(underflows) {
            true => LaneSet::Concrete,
            false => lanes,
        }
    }
}

impl Machine for Lanes {
    type Shadow = LaneSet;
    const SHADOWS: bool = true;
    const LITERALS: bool = true;

    fn tells_apart(&self, expected: &LaneSet, found: &LaneSet) -> bool {
        self.mode == Mode::Primal && !expected.is_same(found)
    }

    fn beside(&self) -> Option<Lanes> {
        Some(Lanes { events: Events::default(), ..self.clone() })
    }

    fn moves_literals(&self) -> bool {
        self.moves.is_some()
    }

    fn literal(&mut self, kind: FloatKind, bits: u128) -> LaneSet {
        let precision = self.precision;
        self.moves.as_mut().map_or(LaneSet::Concrete, |moves| moves.lanes(kind, bits, precision))
    }

    fn forgets(&self, what: Forgets) -> bool {
        self.forgets == Some(what)
    }

    fn is_planted(&self) -> bool {
        self.forgets.is_some()
    }

    fn float_op(&mut self, event: &FloatEvent<'_, LaneSet>) -> LaneSet {
        planted::float_op(self.forgets, event, |event| self.result(event))
    }

    fn compare(&mut self, event: &CompareEvent<'_, LaneSet>) {
        if self.mode == Mode::Gradient || self.forgets(Forgets::Comparison) {
            return;
        }
        let operands = [self.operand(&event.a), self.operand(&event.b)];
        let (varying, [a, b]) = (varying(&operands), &operands);
        let lanes = std::iter::once(0).chain(varying.iter().map(|l| *l as usize));
        let answers = lanes.map(|l| Some(event.pred.holds(a.lane(l).partial_cmp(b.lane(l)))));
        let verdict = judge(answers, Some(event.concrete));
        let operands = || [&event.a, &event.b].iter().map(|x| double(x)).collect();
        self.decision(verdict, Decision::Compare(event.pred), event.at, operands);
    }

    fn lost(&mut self, shadow: &LaneSet, why: Loss, at: Location) -> LaneSet {
        let Some(lanes) = shadow.lanes() else { return LaneSet::Concrete };
        let operands = || vec![lanes.first().to_f64()];
        let mut rounded = |decision, round: &dyn Fn(&Float) -> Float| {
            let verdict = judge(lanes.distinct().map(|lane| Some(round(lane))), None);
            if self.mode == Mode::Primal && verdict == Verdict::Split {
                self.decision(verdict, decision, at, operands);
            }
        };
        match (why, shadow.shifted()) {
            (Loss::ToInt(_), _) => rounded(Decision::ToInt, &|lane| Float::with_val(lane.prec(), lane.trunc_ref())),
            // The bits of a sum that leaves no fraction tell a multiple of a power of two: nothing else is lost.
            (Loss::Bits, Some(sum)) => rounded(Decision::ToInt, &|lane| Float::with_val(sum.precision, lane)),
            (Loss::Inactive, _) => {}
            (Loss::Bits | Loss::Library, _) => self.events.record(EventKind::Lost(why), at, operands),
        }
        LaneSet::Concrete
    }
}

/// What the lanes think of a decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    /// The same as the concrete run.
    Agree,
    /// Different things.
    Split,
    /// All the same, but not what the concrete run decided.
    Otherwise,
}

/// Compares the lanes' decisions with each other and with the concrete one. A decision that cannot be made (NaN) is
/// none, and equals none.
fn judge<T: PartialEq>(mut lanes: impl Iterator<Item = Option<T>>, concrete: Option<T>) -> Verdict {
    let Some(first) = lanes.next() else { return Verdict::Agree };
    if lanes.any(|other| other != first) {
        Verdict::Split
    } else if first == concrete {
        Verdict::Agree
    } else {
        Verdict::Otherwise
    }
}

/// Is the concrete result of an operation on exact doubles exact? Known cheaply for sums and products (Dekker, Knuth:
/// the error of a sum or product of doubles is a double, unless it underflows).
fn is_exact(op: Op, event: &FloatEvent<'_, LaneSet>) -> bool {
    const SAFE: f64 = 1e-200;
    let [a, b] = event.args else { return false };
    if [a.kind, b.kind, event.kind] != [FloatKind::Double; 3] {
        return false;
    }
    let [a, b, r] = [a.bits, b.bits, event.result].map(|bits| f64::from_bits(bits as u64));
    if !r.is_finite() {
        return false;
    }
    let sum = |a: f64, b: f64| {
        let t = r - a;
        (a - (r - t)) + (b - t) == 0.0 && (r - t).is_finite()
    };
    match op {
        Op::FAdd => sum(a, b),
        Op::FSub => sum(a, -b),
        Op::FMul => a == 0.0 || b == 0.0 || (r.abs() > SAFE && a.mul_add(b, -r) == 0.0),
        _ => false,
    }
}

/// An output of an operation in one lane. The common operations avoid copying their operands.
fn evaluate(op: Op, output: usize, x: &Operands<'_>, n: &[i64], lane: usize, precision: u32) -> Option<Float> {
    let at = |i: usize| x.get(i).map(|x| x.lane(lane));
    Some(match op {
        Op::FAdd => Float::with_val(precision, at(0)? + at(1)?),
        Op::FSub => Float::with_val(precision, at(0)? - at(1)?),
        Op::FMul => Float::with_val(precision, at(0)? * at(1)?),
        Op::FDiv => Float::with_val(precision, at(0)? / at(1)?),
        Op::FNeg => Float::with_val(precision, -at(0)?),
        Op::Sqrt => Float::with_val(precision, at(0)?.sqrt_ref()),
        Op::Fma | Op::FMulAdd => Float::with_val(precision, at(0)?.mul_add_ref(at(1)?, at(2)?)),
        Op::Identity => at(0)?.clone(),
        _ => {
            let x: SmallVec<[Float; 4]> = x.iter().map(|x| x.lane(lane).clone()).collect();
            return rules::primal(op, output, &x, n, precision);
        }
    })
}

fn clamp(n: i128) -> i64 {
    n.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64
}

fn double(arg: &FloatArg<'_, LaneSet>) -> f64 {
    number::to_float(arg.kind, arg.bits, number::EXACT).to_f64()
}

fn doubles(args: &[FloatArg<'_, LaneSet>]) -> Vec<f64> {
    args.iter().map(double).collect()
}
