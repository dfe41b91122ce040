//! Does exact arithmetic determine the derivative at all?
//!
//! Where a program computes with what its rounding has left (the direction of a difference that is zero in exact
//! arithmetic, say), the function that it computes in its formats and the function of the real numbers are different
//! ones, and the latter has no derivative there: `r / |r|` for a residual that is exactly zero. Lanes of however many
//! bits compute noise then, each number of bits its own. That is the evidence: references of more and more bits do not
//! settle, or both sides of the point have derivatives of their own, where no operation of the run is at a kink. It is
//! asked of each component that differs from the reference, and nothing else is excused by it: a component whose
//! reference settles is compared with that, with as many bits on the gradient's side.
//!
//! Where plain differences of the program tell a derivative nevertheless, they decide.

use super::comparison::{Compared, Comparison, FINEST, SHARP, Sides};
use super::differences::{self, Held};
use super::inputs::Place;
use super::number;
use super::reference::{Primal, Weighted};
use interp::machines::{Event, EventKind, LaneSet, Lanes, Mode};
use interp::memory::Shadow;
use interp::{FloatArg, FloatEvent, FloatOp, Interp, Location, Loss, Machine, Memory, Value};
use rug::Float;
use rules::Op;
use smallvec::SmallVec;

/// Components that are looked at.
const EXAMINED: usize = 4;
/// References of a settled component agree to this part of its scale, whatever their bits.
const SETTLED: f64 = 1e-30;
/// A number that is farther from its own exact value than this part of it has lost what it was computed for.
const LOST: f64 = 1e-3;
/// Numbers of a run agree to this part of themselves, unless they are noise.
const SAME: f64 = 1e-10;

/// The bits of the reference that is compared with that of the most bits.
pub fn middle(precision: u32) -> u32 {
    2 * precision + 128
}

/// Do two references agree?
pub fn agree(middle: &Float, finest: &Float, scale: f64, error: f64) -> bool {
    let size = number::magnitude(middle).max(number::magnitude(finest)).max(scale);
    let both = middle.is_finite() && finest.is_finite();
    both && number::distance(middle, finest) <= SETTLED * size + error + number::unseen(size)
}

/// The same of references that are told.
pub fn same(middle: f64, finest: f64) -> bool {
    (middle - finest).abs() <= SAME * middle.abs().max(finest.abs())
}

/// Has the program's own arithmetic left nothing of a number, compared with the same formula in exact arithmetic? Where
/// that is zero, the scale of its terms counts.
pub fn is_lost(concrete: f64, exact: &Float, scale: f64) -> bool {
    let own = Float::with_val(exact.prec(), concrete);
    let size = if exact.is_zero() { scale } else { number::magnitude(exact) };
    exact.is_finite() && (!own.is_finite() || number::distance(&own, exact) > LOST * size)
}

/// Looks at components of a run that differ from the reference with more bits, and at those of which rounding has left
/// nothing: at some, and where these are not settled at all.
pub fn settle(sides: &Sides<'_>, single: &[usize], n: usize, comparison: &mut Comparison) -> Result<(), interp::Stop> {
    let differs = |c: &Compared| !c.agrees() && c.exact.is_some();
    let noise =
        |c: &Compared| c.expected.is_finite() && c.exact.as_ref().is_some_and(|e| is_lost(c.concrete, e, c.scale));
    let asked = |c: &Compared| differs(c) || noise(c);
    let positions: Vec<usize> = (0..single.len()).filter(|p| comparison.singly.get(*p).is_some_and(asked)).collect();
    for some in positions.chunks(EXAMINED) {
        let directions: Vec<Vec<f64>> = some.iter().map(|p| sides.primal.unit(single[*p])).collect();
        let weights = [sides.runs[n].weights];
        let by = |precision| sides.primal.with_precision(precision).extrapolated(&directions, &weights);
        let (middle, finest) = (by(middle(sides.primal.precision()))?, by(FINEST)?);
        let mut plain = true;
        for ((position, middle), finest) in some.iter().zip(middle.iter().flatten()).zip(finest.iter().flatten()) {
            let compared = &mut comparison.singly[*position];
            look(sides, (single[*position], n), compared, (middle, finest));
            plain &= compared.unsettled.is_none() && (differs(compared) || noise(compared));
        }
        if plain {
            break;
        }
    }
    Ok(())
}

/// Is the concrete run at a kink, or at a point of convention, that counts for an input?
fn met(primal: &Primal<'_>, index: usize) -> bool {
    let special = |event: &Event| is_special(&event.kind);
    primal.events.iter().any(special)
        && primal.events_along(&primal.unit(index)).is_ok_and(|events| events.iter().any(special))
}

/// Is it a kink, or a point of convention, of the concrete run?
pub fn is_special(kind: &EventKind) -> bool {
    matches!(kind, EventKind::Kink(_) | EventKind::Convention { .. } | EventKind::Domain(_))
}

fn look(
    sides: &Sides<'_>,
    (index, n): (usize, usize),
    compared: &mut Compared,
    (middle, finest): (&Weighted, &Weighted),
) {
    let by = sides.primal.inputs[index].scale;
    // What a kink or a convention that the lanes have met excuses is another question.
    let known = met(sides.primal, index);
    let settled = agree(&middle.sum, &finest.sum, compared.scale * by, middle.error + finest.error);
    if settled && compared.agrees() {
        return;
    }
    if settled && (known || !finest.bent) {
        let Some(run) = sides.precise(n) else { return };
        let literals = compared.literals;
        *compared = sides.component(run, sides.runs[n].weights, (index, SHARP), finest);
        compared.literals = literals;
    }
    if known || settled && !finest.bent {
        return;
    }
    compared.unsettled = Some([&middle.sum, &finest.sum].map(|sum| sum.to_f64() / by));
    let told = differences::by_input(sides.primal, index, &[sides.runs[n].weights]);
    if let Held::Reference(told) = differences::hold(told.as_ref(), 0, (&compared.expected, None), false) {
        let own = Float::with_val(sides.primal.precision(), compared.concrete);
        if !own.is_finite() || number::distance(&own, &told.sum) > differences::bound(&told) {
            compared.unsettled = None;
            compared.scale = compared.scale.max(told.scale);
            compared.error = differences::bound(&told);
            compared.expected = told.sum;
        }
    }
}

/// Where noise begins: the first operation whose results with fewer and with more bits are different numbers, though
/// its operands are not.
pub fn origin(primal: &Primal<'_>) -> Option<Location> {
    let (memory, args) = primal.start();
    let mut memory: Memory<Pair> = memory.without_shadows();
    let mut args: Vec<Value<Pair>> = args.iter().map(Value::without_shadows).collect();
    for input in &primal.inputs {
        let lanes = |bits| LaneSet::each(vec![number::value(input.kind, input.bits, bits)]);
        let pair = Pair { fewer: lanes(primal.precision()), more: lanes(middle(primal.precision())), noise: false };
        match input.place {
            Place::Cell(cell) => memory.set_shadow(cell.pointer(), cell.size(), pair),
            Place::Scalar(scalar) => {
                let (parameter, leaf) = primal.scalar(scalar);
                if let Some((_, shadow)) = args.get_mut(parameter).and_then(|v| v.leaves.get_mut(leaf)) {
                    *shadow = pair;
                }
            }
        }
    }
    primal.count_work(2);
    let lanes = |bits| Lanes::new(1, bits, Mode::Gradient);
    let machine =
        Noise { fewer: lanes(primal.precision()), more: lanes(middle(primal.precision())), first: None, other: None };
    let mut interp = Interp::with_memory(primal.program(), machine, memory, primal.limits().clone());
    interp.call(primal.function(), &args).ok()?;
    let machine = interp.into_parts().0;
    machine.first.or(machine.other)
}

/// A number with lanes of fewer and of more bits.
#[derive(Clone, Debug, Default)]
struct Pair {
    fewer: LaneSet,
    more: LaneSet,
    noise: bool,
}

impl Shadow for Pair {
    fn is_absent(&self) -> bool {
        self.fewer.is_absent() && self.more.is_absent()
    }
}

struct Noise {
    fewer: Lanes,
    more: Lanes,
    first: Option<Location>,
    /// The first operation of any kind that makes noise.
    other: Option<Location>,
}

impl Machine for Noise {
    type Shadow = Pair;
    const SHADOWS: bool = true;

    fn float_op(&mut self, event: &FloatEvent<'_, Pair>) -> Pair {
        let &FloatEvent { op, output, kind, ints, result, at, .. } = event;
        let by = |machine: &mut Lanes, lanes: fn(&Pair) -> &LaneSet| {
            let args: SmallVec<[FloatArg<'_, LaneSet>; 4]> =
                event.args.iter().map(|a| FloatArg { kind: a.kind, bits: a.bits, shadow: lanes(a.shadow) }).collect();
            let shadow = machine.float_op(&FloatEvent { op, output, kind, args: &args, ints, result, at });
            (machine.value(kind, result, &shadow, 0), shadow)
        };
        let (few, fewer) = by(&mut self.fewer, |pair| &pair.fewer);
        let (many, more) = by(&mut self.more, |pair| &pair.more);
        let size = number::magnitude(&few).max(number::magnitude(&many));
        let noise = size > 0.0 && number::distance(&few, &many) > SAME * size;
        let sums = matches!(op, FloatOp::Rule(Op::FAdd | Op::FSub | Op::Fma | Op::FMulAdd));
        let begins = noise && event.args.iter().all(|a| !a.shadow.noise);
        let first = if sums { &mut self.first } else { &mut self.other };
        if begins && first.is_none() {
            *first = Some(at);
        }
        Pair { fewer, more, noise }
    }

    fn lost(&mut self, _shadow: &Pair, _why: Loss, _at: Location) -> Pair {
        Pair::default()
    }
}
