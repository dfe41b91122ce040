//! The laws that the reversal of each instruction obeys, and the first one that is broken.
//!
//! The adjoint of an instruction is linear in the adjoint of its result, whatever that is. So each reversal
//! ([`super::replay`]) can be judged by itself, even where the adjoint it took is wrong already:
//!
//! - an operation `y = f(x)` hands `ȳ·∂f/∂x_i` to each operand that depends on an input; ∂f/∂x_i is a difference
//!   quotient of f itself in multi-precision at the operands of that execution ([`super::trace`]), matched from the
//!   end: the last execution is reversed first;
//! - a load adds what it took to the shadow of the cell, once; a store clears the shadow that it took; a phi hands what
//!   it took to the operand of the edge;
//! - a copy of memory that moves active numbers has a reverse.
//!
//! Where the numbers that an operation hands on are wrong, the values that were brought back for its operands are
//! compared with those of the execution: if one is another number, the mistake is the cached value, else the rule.

use super::number;
use super::replay::{Handed, Origin, Popped, Replayed, Reversal, needed};
use super::trace::{Operation, Trace};
use crate::verdict::Family;
use interp::{FloatOp, Location, Program};
use ir::hash::HashMap;
use ir::{FloatKind, InstKind, Operand, Role};
use rug::Float;
use std::collections::BTreeSet;

/// A broken law.
pub struct Broken {
    /// The family of the mistake.
    pub family: Family,
    /// What was seen.
    pub evidence: String,
    /// The instruction that shows it, in the gradient or in the primal.
    pub at: Location,
}

/// What is compared.
pub struct Laws<'a> {
    /// The program with the gradient.
    pub program: &'a Program,
    /// The gradient's reversals.
    pub replayed: &'a Replayed,
    /// The primal's operations.
    pub trace: &'a Trace,
    /// Instructions of the primal of which the gradient has anything.
    present: BTreeSet<Origin>,
    /// Those that have an adjoint in it.
    reversed: BTreeSet<Origin>,
}

/// Bits of the difference quotients.
const PRECISION: u32 = 256;
/// The step of the difference quotients, relative to the operand.
const STEP: i32 = -80;

/// One-sided difference quotients of step h differ by h·f'': a relative 2⁻³⁰ of f' at h = 2⁻⁸⁰·x would need x·f''/f'
/// above 2⁵⁰, which no operation reaches outside of a kink. What 256 bits round away is below 2⁻¹⁷⁰.
const SAME_SLOPE: f64 = 1.0 / (1u64 << 30) as f64;

/// Can rounding be all that tells what is handed on from what is due? What is handed on is the difference of two
/// rounded sums, times partial derivatives whose formulas cancel (as 1 - y² for y near 1): of the 53 bits of a double
/// (24 of a float) we grant them all but 20 (14). A smaller deviation has no place here; that there is one, and how
/// large, is the verdict's business, which has no such bound.
fn near(a: f64, b: f64, scale: f64, kind: FloatKind) -> bool {
    let granted =
        if number::epsilon(kind) > f64::EPSILON { 1.0 / f64::from(1 << 14) } else { 1.0 / f64::from(1 << 20) };
    a == b || (a - b).abs() <= granted * scale
}

/// A read of undefined memory that should bring a value of the forward pass back: nobody writes it, or the cell is
/// another's.
pub fn undefined_value(program: &Program, read: Location) -> Option<Broken> {
    let module = &program.module;
    let origin = module.functions[read.func].insts[read.inst].origin.filter(|o| o.role == Role::Pop)?;
    let push = |i: &ir::Inst| {
        let link = i.origin.is_some_and(|o| (o.func, o.inst, o.role) == (origin.func, origin.inst, Role::Push));
        link && matches!(i.kind, InstKind::Store { .. })
    };
    let at = Location { func: origin.func, inst: origin.inst };
    let written = module.functions.values().any(|f| f.insts.values().any(push));
    let (family, evidence) = if written {
        (Family::Cache, "a value is read from a tape cell of which nobody has written that instance")
    } else {
        (Family::Uninitialised, "a value is read from the tape, on which nobody has written it")
    };
    Some(Broken { family, evidence: evidence.to_owned(), at })
}

impl<'a> Laws<'a> {
    /// The laws of a run.
    pub fn new(program: &'a Program, replayed: &'a Replayed, trace: &'a Trace) -> Laws<'a> {
        let origins = program.module.functions.values().flat_map(|f| f.insts.values().filter_map(|i| i.origin));
        let present = origins.clone().map(|o| (o.func, o.inst)).collect();
        let adjoints = origins.filter(|o| matches!(o.role, Role::Adjoint | Role::Zero));
        let reversed = adjoints.map(|o| (o.func, o.inst)).collect();
        Laws { program, replayed, trace, present, reversed }
    }

    /// The first broken law in the order of the reverse pass.
    pub fn first_broken(&self) -> Option<Broken> {
        if let Some(shared) = self.replayed.shared.map(is_shared) {
            return Some(shared);
        }
        let mut counts: HashMap<Origin, usize> = HashMap::default();
        for reversal in self.replayed.reversals.iter().filter(|r| !r.taken.is_empty()) {
            *counts.entry(reversal.origin).or_default() += 1;
        }
        let mut met: HashMap<Origin, usize> = HashMap::default();
        for reversal in &self.replayed.reversals {
            let broken = match self.kind(reversal.origin) {
                InstKind::Load { .. } => self.load(reversal),
                InstKind::Store { .. } => self.store(reversal),
                InstKind::Phi { .. } => self.phi(reversal),
                _ if reversal.taken.is_empty() => None,
                _ => {
                    let index = met.entry(reversal.origin).or_default();
                    *index += 1;
                    self.operation(reversal, *index, counts[&reversal.origin])
                }
            };
            if broken.is_some() {
                return broken;
            }
        }
        self.copies()
    }

    fn kind(&self, (func, inst): Origin) -> &InstKind {
        &self.program.module.functions[func].insts[inst].kind
    }

    fn defined(&self, (func, _): Origin, operand: Operand) -> Option<Origin> {
        let Operand::Local(v) = operand else { return None };
        match self.program.module.functions[func].values[v].def {
            ir::ValueDef::Inst(inst) => Some((func, inst)),
            ir::ValueDef::Param(_) => None,
        }
    }

    fn load(&self, r: &Reversal) -> Option<Broken> {
        let place = || r.handed.first().map_or(Location { func: r.origin.0, inst: r.origin.1 }, |h| h.at);
        if r.taken.iter().all(|t| *t == 0.0) || r.taken.iter().any(|t| !t.is_finite()) {
            return None;
        }
        if r.handed.is_empty() {
            let evidence = "a load has an adjoint, and nothing is added to the shadow of the memory that it reads";
            return Some(Broken { family: Family::Activity, evidence: evidence.to_owned(), at: place() });
        }
        let again = r.handed.chunks(r.taken.len()).collect::<Vec<_>>();
        let same = |chunk: &&[Handed]| {
            let pairs = chunk.iter().zip(&r.taken);
            chunk.len() == r.taken.len() && pairs.into_iter().all(|(h, t)| near(h.value, *t, t.abs(), FloatKind::Float))
        };
        (again.len() > 1 && again.iter().all(same)).then(|| Broken {
            family: Family::DoubleAdd,
            evidence: format!("the adjoint of one load is added {} times to the shadow", again.len()),
            at: r.handed.last().map_or_else(place, |h| h.at),
        })
    }

    fn store(&self, r: &Reversal) -> Option<Broken> {
        let (value, at) = r.kept.iter().find(|(value, _)| *value != 0.0)?;
        Some(Broken {
            family: Family::StaleShadow,
            evidence: format!("where a store is reversed the shadow of its cell, {value:e}, is read and not cleared"),
            at: *at,
        })
    }

    /// The adjoint of a phi went nowhere, and some edge whose value is active hands nothing on.
    fn phi(&self, r: &Reversal) -> Option<Broken> {
        if !r.handed.is_empty() || r.taken.iter().all(|t| *t == 0.0) {
            return None;
        }
        let InstKind::Phi { incoming, .. } = self.kind(r.origin) else { return None };
        let active = |(o, _): &&(Operand, _)| self.defined(r.origin, *o).is_some_and(|d| self.reversed.contains(&d));
        let wanted = incoming.iter().filter(active).count();
        let adds = |f: &ir::Function| {
            let stores = f.insts.values().filter(|i| {
                let link =
                    i.origin.is_some_and(|o| (o.func, o.inst, o.role) == (r.origin.0, r.origin.1, Role::Adjoint));
                link && matches!(i.kind, InstKind::Store { .. })
            });
            stores.count()
        };
        let found = self.program.module.functions.values().map(adds).filter(|n| *n > 0).min().unwrap_or(0);
        (found < wanted).then(|| Broken {
            family: Family::Rule,
            evidence: format!("the adjoint of a phi is handed on along {found} of {wanted} edges, and here it is lost"),
            at: Location { func: r.origin.0, inst: r.origin.1 },
        })
    }

    /// An operation of the table.
    fn operation(&self, r: &Reversal, index: usize, count: usize) -> Option<Broken> {
        let place = Location { func: r.origin.0, inst: r.origin.1 };
        let all = self.trace.operations.get(&place)?;
        let lanes = r.taken.len();
        if all.len() != count * lanes || !r.handed.len().is_multiple_of(lanes) || r.taken.iter().any(|t| !t.is_finite())
        {
            return None;
        }
        let from = all.len() - index * lanes;
        let lanes = &all[from..from + lanes];
        let operands = lanes.first()?.args.len();
        let mut left: Vec<&[Handed]> = r.handed.chunks(r.taken.len()).collect();
        let active = |operand: &usize| lanes.iter().any(|l| l.args.get(*operand).is_some_and(|a| a.2));
        for operand in (0..operands).filter(active) {
            let mut wanted = Vec::new();
            for (lane, taken) in lanes.iter().zip(&r.taken) {
                wanted.push(taken * partial(lane, operand)?);
            }
            let scale = wanted.iter().map(|w| w.abs()).fold(0.0, f64::max);
            let kind = lanes.first()?.kind;
            let agrees = |chunk: &&[Handed]| chunk.iter().zip(&wanted).all(|(h, w)| near(h.value, *w, scale, kind));
            match left.iter().position(agrees) {
                Some(found) => drop(left.remove(found)),
                None if scale == 0.0 => {}
                None => return Some(self.not_handed(r, lanes, (index, count), operand, (&wanted, &left))),
            }
        }
        None
    }

    /// An operand does not get what it should.
    fn not_handed(
        &self,
        r: &Reversal,
        lanes: &[Operation],
        instance: (usize, usize),
        operand: usize,
        (wanted, left): (&[f64], &[&[Handed]]),
    ) -> Broken {
        let place = Location { func: r.origin.0, inst: r.origin.1 };
        let operands = self.kind(r.origin).operands();
        let values = operands.get(operand).copied();
        let wanted = wanted.first().copied().unwrap_or(0.0);
        if let Some((origin, popped, right)) = self.wrong_value(r, lanes, instance) {
            if let Some(broken) =
                popped.at.filter(|_| popped.undefined).and_then(|at| undefined_value(self.program, at))
            {
                return broken;
            }
            let (had, should) = (popped.values.first().copied().unwrap_or(f64::NAN), right);
            let (family, evidence) = if popped.unwritten {
                let text = "a value is read from the tape, on which nobody has written it".to_owned();
                (Family::Uninitialised, text)
            } else {
                let text = format!(
                    "the reverse of an operation uses {had:e} for a value that was {should:e} when it was executed"
                );
                (Family::Cache, text)
            };
            return Broken { family, evidence, at: Location { func: origin.0, inst: origin.1 } };
        }
        let constant = values
            .and_then(|o| self.defined(r.origin, o))
            .filter(|d| (r.handed.is_empty() || left.is_empty()) && !self.is_reversed(*d));
        if let Some((func, inst)) = constant {
            let evidence = format!("a value that depends on the inputs has no adjoint, where {wanted:e} is due");
            return Broken { family: Family::Activity, evidence, at: Location { func, inst } };
        }
        let got = left.first().and_then(|c| c.first());
        let had = got.map_or_else(|| "nothing".to_owned(), |h| format!("{:e}", h.value));
        let evidence = format!(
            "all values that the derivative of the operation needs are right; operand {} is handed {had} instead of \
             {wanted:e}",
            operand + 1
        );
        Broken { family: Family::Rule, evidence, at: got.map_or(place, |h| h.at) }
    }

    /// Has the value an adjoint in the gradient? Where the gradient has nothing of an instruction, another stands for
    /// it: a load through the same pointer, or what was stored to a variable.
    fn is_reversed(&self, origin: Origin) -> bool {
        self.reversed.contains(&origin) || !self.present.contains(&origin)
    }

    /// A value brought back for the operation that is not the one it was executed with.
    fn wrong_value<'r>(
        &self,
        r: &'r Reversal,
        lanes: &[Operation],
        instance: (usize, usize),
    ) -> Option<(Origin, &'r Popped, f64)> {
        let operands = self.kind(r.origin).operands();
        let floats = operands.iter().filter(|o| {
            let function = &self.program.module.functions[r.origin.0];
            let ty = self.program.module.types.scalar(self.program.module.operand_ty(function, **o));
            self.program.module.types.float_kind(ty).is_some()
        });
        let mut values: Vec<(Origin, usize)> = Vec::new();
        for (index, operand) in floats.enumerate() {
            values.extend(self.defined(r.origin, *operand).map(|d| (d, index)));
        }
        let right = |(value, index): &(Origin, usize), lane: &Operation| {
            if *value == r.origin {
                return Some(number::value(lane.kind, lane.result, PRECISION).to_f64());
            }
            lane.args.get(*index).map(|(kind, bits, _)| number::value(*kind, *bits, PRECISION).to_f64())
        };
        values.push((r.origin, usize::MAX));
        for value in &values {
            let Some((_, popped)) = r.popped.iter().find(|(o, p)| *o == value.0 && self.fresh(r, p)) else { continue };
            if popped.values.len() != lanes.len() {
                continue;
            }
            for (lane, had) in lanes.iter().zip(&popped.values) {
                let should = right(value, lane)?;
                if differs(should, *had) {
                    return Some((value.0, popped, should));
                }
            }
        }
        // What operands are made of.
        for origin in needed(self.program, r.origin) {
            let Some((_, popped)) = r.popped.iter().find(|(o, p)| *o == origin && self.fresh(r, p)) else { continue };
            if popped.unwritten || popped.undefined {
                return Some((origin, popped, f64::NAN));
            }
            let Some(right) = self.executed(origin, popped.values.len(), instance) else { continue };
            let wrong = right.iter().zip(&popped.values).find(|(should, had)| differs(**should, **had));
            if let Some((should, _)) = wrong {
                return Some((origin, popped, *should));
            }
        }
        None
    }

    /// What an operation gave in the execution of that number, counted from the end, if it was executed as often.
    fn executed(&self, (func, inst): Origin, lanes: usize, (index, count): (usize, usize)) -> Option<Vec<f64>> {
        let all = self.trace.operations.get(&Location { func, inst }).filter(|all| all.len() == count * lanes)?;
        let one = all.get(all.len() - index * lanes..)?.iter().take(lanes);
        Some(one.map(|o| number::value(o.kind, o.result, PRECISION).to_f64()).collect())
    }

    /// Was the value brought back in the same run through the block in which the reversal is?
    fn fresh(&self, r: &Reversal, popped: &Popped) -> bool {
        let Some((at, first)) = popped.at.zip(r.handed.first().map(|h| h.at)) else { return true };
        let function = &self.program.module.functions[at.func];
        let place = |inst| {
            let blocks = function.layout.iter();
            blocks.filter_map(|b| Some((*b, function.blocks[*b].insts.iter().position(|i| *i == inst)?))).next()
        };
        match (place(at.inst), place(first.inst)) {
            (Some((a, before)), Some((b, after))) => at.func == first.func && a == b && before < after,
            _ => false,
        }
    }

    /// Copies of active numbers that have no reverse.
    fn copies(&self) -> Option<Broken> {
        let (func, inst) = self.trace.copies.iter().find(|c| !self.reversed.contains(c))?;
        Some(Broken {
            family: Family::Type,
            evidence:
                "bytes are copied that hold numbers which depend on the inputs, and the gradient has no reverse of it"
                    .to_owned(),
            at: Location { func: *func, inst: *inst },
        })
    }
}

/// The shadow of an object of the differentiated function is the object itself.
pub fn is_shared(at: Location) -> Broken {
    let evidence = "an adjoint is stored to memory in which the function itself has stored its numbers".to_owned();
    Broken { family: Family::Alias, evidence, at }
}

fn differs(a: f64, b: f64) -> bool {
    a.to_bits() != b.to_bits() && !(a.is_nan() && b.is_nan())
}

/// ∂f/∂x of an executed operation, by central differences in multi-precision; none where the two sides differ.
fn partial(operation: &Operation, operand: usize) -> Option<f64> {
    let FloatOp::Rule(op) = operation.op else {
        return (operation.op == FloatOp::Convert).then_some(1.0);
    };
    let mut x: Vec<Float> =
        operation.args.iter().map(|(kind, bits, _)| number::value(*kind, *bits, PRECISION)).collect();
    let middle = rules::primal(op, operation.output, &x, &operation.ints, PRECISION)?;
    let own = x.get(operand)?.clone();
    let step = Float::with_val(PRECISION, 1.0) << (own.get_exp().unwrap_or(0) + STEP);
    let mut side = |by: &Float| {
        x[operand] = Float::with_val(PRECISION, &own + by);
        let moved = rules::primal(op, operation.output, &x, &operation.ints, PRECISION)?;
        let slope = (moved - &middle) / by;
        slope.is_finite().then(|| slope.to_f64())
    };
    let (above, below) = (side(&step)?, side(&-step.clone())?);
    let size = above.abs().max(below.abs());
    ((above - below).abs() <= SAME_SLOPE * size).then_some(0.5 * (above + below))
}
