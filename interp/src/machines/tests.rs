//! Tests of the lanes without an engine: events are made by hand.

use super::*;
use crate::machine::{CompareEvent, FloatArg, FloatEvent, FloatOp, Loss, Machine};
use crate::outcome::Location;
use ir::entity::EntityRef;
use ir::{FloatKind, FloatPred, FuncId, InstId};
use rug::Float;
use rules::Op;

const BITS: u32 = 256;
const H: f64 = 1.0 / (1u64 << 60) as f64;

fn at(line: usize) -> Location {
    Location { func: FuncId::new(0), inst: InstId::new(line) }
}

/// A value of the run.
#[derive(Clone)]
struct Number {
    concrete: f64,
    lanes: LaneSet,
}

fn constant(value: f64) -> Number {
    Number { concrete: value, lanes: LaneSet::Concrete }
}

struct Run {
    directions: Directions,
    lanes: Lanes,
    line: usize,
}

impl Run {
    fn new() -> Run {
        let directions = Directions::new(BITS, 1, &[H, H / 16.0]);
        let lanes = Lanes::new(directions.lanes(), BITS, Mode::Primal);
        Run { directions, lanes, line: 0 }
    }

    fn input(&self, x: f64, component: f64) -> Number {
        let lanes = self.directions.input(FloatKind::Double, u128::from(x.to_bits()), &[component]);
        Number { concrete: x, lanes }
    }

    /// Output `output` of an operation whose concrete result is the correctly rounded one.
    fn output(&mut self, op: Op, output: usize, args: &[&Number]) -> Number {
        let x: Vec<Float> = args.iter().map(|a| Float::with_val(53, a.concrete)).collect();
        let concrete = rules::primal(op, output, &x, &[], 53).unwrap().to_f64();
        let args: Vec<FloatArg<'_, LaneSet>> = args
            .iter()
            .map(|a| FloatArg { kind: FloatKind::Double, bits: u128::from(a.concrete.to_bits()), shadow: &a.lanes })
            .collect();
        self.line += 1;
        let lanes = self.lanes.float_op(&FloatEvent {
            op: FloatOp::Rule(op),
            output,
            kind: FloatKind::Double,
            args: &args,
            ints: &[],
            result: u128::from(concrete.to_bits()),
            at: at(self.line),
        });
        Number { concrete, lanes }
    }

    fn op(&mut self, op: Op, args: &[&Number]) -> Number {
        self.output(op, 0, args)
    }

    fn slope(&self, y: &Number) -> Float {
        self.directions.derivative(&y.lanes, 0, 0).unwrap()
    }

    fn compare(&mut self, pred: FloatPred, a: &Number, b: &Number, concrete: bool) {
        let arg = |n: &'_ Number| (u128::from(n.concrete.to_bits()), n.lanes.clone());
        let ((a_bits, a_lanes), (b_bits, b_lanes)) = (arg(a), arg(b));
        self.line += 1;
        self.lanes.compare(&CompareEvent {
            pred,
            a: FloatArg { kind: FloatKind::Double, bits: a_bits, shadow: &a_lanes },
            b: FloatArg { kind: FloatKind::Double, bits: b_bits, shadow: &b_lanes },
            concrete,
            at: at(self.line),
        });
    }
}

/// Are the first `digits` decimal digits the same?
fn close(a: &Float, b: &Float, digits: i32) -> bool {
    let difference = Float::with_val(BITS, a - b).abs();
    difference <= Float::with_val(BITS, b.abs_ref()) * Float::with_val(BITS, 10f64.powi(-digits))
}

#[test]
fn derivative_of_sin_x_times_x_to_thirty_digits() {
    let mut run = Run::new();
    let x = run.input(1.25, 1.0);
    let sine = run.op(Op::Sin, &[&x]);
    let y = run.op(Op::FMul, &[&sine, &x]);
    let exact = {
        let x = Float::with_val(BITS, 1.25);
        let (sin, cos) = (x.clone().sin(), x.clone().cos());
        sin + cos * x
    };
    assert!(close(&run.slope(&y), &exact, 30));
    let finer = run.directions.derivative(&y.lanes, 0, 1).unwrap();
    assert!(close(&finer, &exact, 30));
    assert!(run.lanes.events.is_empty());
    assert!(close(
        &run.lanes.value(FloatKind::Double, 0, &y.lanes, 0),
        &Float::with_val(BITS, 1.25f64.sin() * 1.25),
        14
    ));
}

#[test]
fn constants_are_carried_beyond_the_concrete_rounding() {
    let mut run = Run::new();
    let third = run.op(Op::FDiv, &[&constant(1.0), &constant(3.0)]);
    assert!(matches!(third.lanes, LaneSet::Same(_)));
    let five_thirds = run.op(Op::FMul, &[&third, &constant(5.0)]);
    assert!(close(five_thirds.lanes.lane(0).unwrap(), &(Float::with_val(BITS, 5) / 3u32), 70));
    let exact = run.op(Op::FAdd, &[&constant(1.5), &constant(0.25)]);
    assert!(matches!(exact.lanes, LaneSet::Concrete));
    let rounded = run.op(Op::FAdd, &[&constant(1.0), &constant(1e-30)]);
    assert!(matches!(rounded.lanes, LaneSet::Same(_)));
    let small = run.op(Op::FMul, &[&constant(1e-200), &constant(1e-200)]);
    assert!(matches!(small.lanes, LaneSet::Same(_)), "an underflow is not exact");
}

#[test]
fn comparisons_near_their_border_are_kinks() {
    let mut run = Run::new();
    let x = run.input(2.0, 1.0);
    run.compare(FloatPred::Olt, &x, &constant(2.0), false);
    assert_eq!(run.lanes.events.kinks().count(), 1);
    run.compare(FloatPred::Olt, &x, &constant(2.0 + f64::EPSILON * 2.0), true);
    assert_eq!(run.lanes.events.iter().count(), 1);
}

#[test]
fn decisions_of_rounding_are_noted_and_are_no_kinks() {
    let mut run = Run::new();
    // (1 + 1e-30) - 1 is 0 for the concrete run only.
    let one = run.op(Op::FAdd, &[&constant(1.0), &constant(1e-30)]);
    let rest = run.op(Op::FSub, &[&one, &constant(1.0)]);
    run.compare(FloatPred::Ogt, &rest, &constant(0.0), false);
    assert_eq!(run.lanes.events.kinks().count(), 0);
    assert_eq!(run.lanes.events.roundings().count(), 1);
}

#[test]
fn selections_follow_the_concrete_piece() {
    let mut run = Run::new();
    let (x, y) = (run.input(-1.5, 1.0), run.input(4.0, 3.0));
    let magnitude = run.op(Op::Fabs, &[&x]);
    assert_eq!(run.slope(&magnitude), -1);
    let least = run.op(Op::Fmin, &[&x, &y]);
    assert_eq!(run.slope(&least), 1);
    let most = run.op(Op::Fmax, &[&x, &y]);
    assert_eq!(run.slope(&most), 3);
    let rest = run.op(Op::Fmod, &[&y, &x]);
    assert_eq!((rest.concrete, run.slope(&rest)), (1.0, Float::with_val(64, 3 + 2)));
    let fraction = run.output(Op::Modf, 0, &[&x]);
    assert_eq!((fraction.concrete, run.slope(&fraction)), (-0.5, Float::with_val(64, 1)));
    let whole = run.output(Op::Modf, 1, &[&x]);
    assert_eq!(run.slope(&whole), 0);
    let signed = run.op(Op::CopySign, &[&x, &y]);
    assert_eq!(run.slope(&signed), -1);
    let beyond = run.op(Op::Fdim, &[&x, &y]);
    assert_eq!(run.slope(&beyond), 0);
    assert!(run.lanes.events.is_empty());
}

#[test]
fn ties_and_jumps_are_kinks() {
    let mut run = Run::new();
    let (x, zero) = (run.input(3.0, 1.0), run.input(0.0, 1.0));
    run.op(Op::Floor, &[&x]);
    assert_eq!(run.lanes.events.kinks().count(), 1);
    run.op(Op::Fmax, &[&x, &constant(3.0)]);
    assert_eq!(run.lanes.events.kinks().count(), 2);
    let magnitude = run.op(Op::Fabs, &[&zero]);
    assert_eq!(run.lanes.events.kinks().count(), 3);
    assert_eq!(run.slope(&magnitude), 0);
    run.lanes.lost(&x.lanes, Loss::ToInt(3), at(99));
    assert_eq!(run.lanes.events.kinks().count(), 4);
    let conventions: Vec<_> = run.lanes.events.conventions().map(|e| e.kind).collect();
    assert!(!conventions.is_empty(), "the table states a convention for each");
}

#[test]
fn square_root_at_zero_is_a_convention_of_its_row_and_a_border() {
    let mut run = Run::new();
    let x = run.input(0.0, 1.0);
    run.op(Op::Sqrt, &[&x]);
    let kinds: Vec<_> = run.lanes.events.conventions().map(|e| e.kind).collect();
    assert!(kinds.iter().any(|k| matches!(k, EventKind::Convention { op: Op::Sqrt, .. })));
    assert!(kinds.iter().any(|k| matches!(k, EventKind::Domain(Op::Sqrt))));
    let mut run = Run::new();
    run.op(Op::Sqrt, &[&constant(0.0)]);
    assert!(run.lanes.events.is_empty(), "nothing depends on an input");
}

#[test]
fn bits_taken_from_an_active_value_are_a_loss() {
    let mut run = Run::new();
    let x = run.input(0.5, 1.0);
    run.lanes.lost(&x.lanes, Loss::Bits, at(7));
    run.lanes.lost(&x.lanes, Loss::Bits, at(7));
    run.lanes.lost(&LaneSet::Concrete, Loss::Bits, at(8));
    let losses: Vec<_> = run.lanes.events.losses().collect();
    assert_eq!((losses.len(), losses[0].count, losses[0].operands.clone()), (1, 2, vec![0.5]));
}

#[test]
fn a_gradient_run_records_no_decisions() {
    let mut run = Run::new();
    run.lanes = Lanes::new(run.directions.lanes(), BITS, Mode::Gradient);
    let zero = run.input(0.0, 1.0);
    run.op(Op::Fabs, &[&zero]);
    run.op(Op::Sqrt, &[&zero]);
    run.compare(FloatPred::Olt, &zero, &constant(0.0), false);
    assert!(run.lanes.events.is_empty());
}

#[test]
fn a_shift_that_is_taken_off_has_rounded() {
    let mut run = Run::new();
    let (x, c) = (run.input(1.25, 1.0), constant(1.5 * 2f64.powi(52)));
    let shifted = run.op(Op::FAdd, &[&x, &c]);
    assert_eq!(run.slope(&shifted), 1, "the first sum alone is a sum");
    let rounded = run.op(Op::FSub, &[&shifted, &c]);
    assert_eq!((rounded.concrete, run.slope(&rounded).to_f64()), (1.0, 0.0));
    assert_eq!(run.lanes.value(FloatKind::Double, 1f64.to_bits().into(), &rounded.lanes, 0), 1);
    // The same bits that come from elsewhere have not lost what is taken off.
    let (half, two) = (constant(0.5), constant(2.0));
    let halved = run.op(Op::FMul, &[&shifted, &half]);
    let again = run.op(Op::FMul, &[&halved, &two]);
    assert_eq!(again.concrete, shifted.concrete);
    let back = run.op(Op::FSub, &[&again, &c]);
    assert_eq!(run.slope(&back), 1);
    assert!(run.lanes.events.is_empty());
    // Bits of the first tell its integer, and lose nothing else.
    run.lanes.lost(&shifted.lanes, Loss::Bits, at(90));
    assert!(run.lanes.events.is_empty());
}

#[test]
fn a_rounding_by_sums_jumps_where_it_is_halfway() {
    let c = constant(2f64.powi(52));
    for by_bits in [false, true] {
        let mut run = Run::new();
        let x = run.input(2.5, 1.0);
        let shifted = run.op(Op::FAdd, &[&x, &c]);
        assert!(run.lanes.events.is_empty());
        match by_bits {
            true => drop(run.lanes.lost(&shifted.lanes, Loss::Bits, at(90))),
            false => drop(run.op(Op::FSub, &[&shifted, &c])),
        }
        assert_eq!(run.lanes.events.kinks().count(), 1);
    }
}

#[test]
fn taint_passes_where_a_derivative_does() {
    let (x, none) = (Tainted::group(3), Tainted::default());
    let shift = u128::from(2f64.powi(52).to_bits());
    let event = |op, shadows: [&Tainted; 2]| {
        let args = shadows.map(|shadow| FloatArg { kind: FloatKind::Double, bits: shift, shadow });
        let kind = FloatKind::Double;
        Taint.float_op(&FloatEvent {
            op: FloatOp::Rule(op),
            output: 0,
            kind,
            args: &args,
            ints: &[],
            result: 0,
            at: at(0),
        })
    };
    assert!(event(Op::FMul, [&none, &x]).contains(3));
    assert_eq!(event(Op::FMul, [&none, &none]), none);
    assert!(event(Op::CopySign, [&x, &none]).contains(3));
    assert_eq!(event(Op::CopySign, [&none, &x]), none, "the sign's derivative is zero");
    let shifted = event(Op::FAdd, [&x, &none]);
    assert!(shifted.contains(3) && event(Op::FMul, [&shifted, &none]).contains(3));
    assert_eq!(event(Op::FSub, [&shifted, &none]), none, "what is left is an integer");
    assert!(event(Op::FSub, [&x, &none]).contains(3));
}
