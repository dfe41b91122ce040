//! Is every value that is active in this execution active for the gradient too?
//!
//! A value is active if it depends on the inputs, and results depend on it (Hascoët & Pascual 2013, "The Tapenade
//! tool", 3.4: varied and useful). Dynamically both are taints that ride along the primal: one from the inputs; and one
//! from each value that the gradient seems to take for constant, to see whether it reaches a result. What the gradient
//! takes for active is read off its code: an operation has instructions that accumulate its adjoint, or compute its
//! tangent. A value that is active and has neither is a defect of the activity analysis, also where the numbers happen
//! to agree at this point.
//!
//! Not looked at is what the program says something of (rules of its own, functions declared inactive), routines of
//! BLAS, and what such functions reach; what is only reached through tables of functions; and, for tangents, operations
//! that hand on that of an operand as it is (`x + 1`), since they need no instruction.

use super::call::Call;
use super::inputs::Place;
use super::reference::Primal;
use crate::calls::reachable;
use interp::Shadow;
use interp::machines::{Taint, Tainted};
use interp::{FloatEvent, FloatOp, Interp, Location, Machine, Memory, Program, Value};
use ir::{FuncId, InstId, Role};
use std::collections::{BTreeMap, BTreeSet};

/// The taint of inputs.
const INPUT: usize = 0;

/// Suspects that are followed at a time, one for each further group of [`Tainted`].
const SUSPECTS: usize = 63;

/// An instruction of the primal.
type Origin = (FuncId, InstId);

/// Follows taints, and records which operations get that of the inputs.
#[derive(Default)]
struct Follow {
    varied: BTreeSet<Origin>,
    /// The taints with which results start.
    marked: BTreeMap<Origin, Tainted>,
    /// Is it about tangents?
    tangents: bool,
}

/// Is the tangent of the result that of an operand?
fn hands_on(event: &FloatEvent<'_, Tainted>) -> bool {
    let FloatOp::Rule(op) = event.op else { return false };
    let mut varied = event.args.iter().enumerate().filter(|(_, arg)| !arg.shadow.is_absent());
    let partial = |operand| op.row().partial(event.output, operand);
    varied.all(|(operand, _)| partial(operand).is_none_or(|p| p.expr.is_zero() || p.expr.is_one()))
}

impl Machine for Follow {
    type Shadow = Tainted;
    const SHADOWS: bool = true;

    fn float_op(&mut self, event: &FloatEvent<'_, Tainted>) -> Tainted {
        let mut taint = Taint.float_op(event);
        let origin = (event.at.func, event.at.inst);
        if taint.contains(INPUT) && !(self.tangents && hands_on(event)) && matches!(event.op, FloatOp::Rule(_)) {
            self.varied.insert(origin);
        }
        if let Some(mark) = self.marked.get(&origin) {
            taint.add(*mark);
        }
        taint
    }
}

/// The first operations, in the order of the module, that are active in the primal's run and have no derivative in the
/// gradient.
pub fn forgotten(program: &Program, call: &Call, primal: &Primal<'_>, tangents: bool) -> Vec<Origin> {
    let Some((seen, _)) = run(primal, Follow { tangents, ..Follow::default() }) else { return Vec::new() };
    let differentiated = differentiated(program, call.gradient);
    let mut suspects: Vec<Origin> = seen.varied.into_iter().filter(|origin| !differentiated.contains(origin)).collect();
    // As a rule there is none, and the rest need not be asked.
    if suspects.is_empty() {
        return suspects;
    }
    let (ruled, within) = (ruled(program), reachable(&program.module, call.primal));
    suspects.retain(|(func, _)| within.contains(func) && !ruled.contains(func));
    suspects.truncate(SUSPECTS);
    let marked = suspects.iter().enumerate().map(|(i, origin)| (*origin, Tainted::group(i + 1))).collect();
    let Some((_, reached)) = run(primal, Follow { marked, ..Follow::default() }) else { return Vec::new() };
    let useful = |(i, _): &(usize, Origin)| reached.contains(i + 1);
    suspects.into_iter().enumerate().filter(useful).map(|(_, origin)| origin).collect()
}

/// The functions whose derivative is not made from their instructions, and what they reach.
fn ruled(program: &Program) -> BTreeSet<FuncId> {
    let functions = &program.module.functions;
    let routines = functions.iter().filter(|(_, f)| f.attrs.has(ad::attributes::ROUTINE)).map(|(id, _)| id);
    let own = program.module.hinted_functions().into_iter().chain(routines);
    own.flat_map(|function| reachable(&program.module, function)).collect()
}

/// A remark on what is forgotten.
pub fn remark(program: &Program, forgotten: &[Origin]) -> Option<String> {
    let (func, inst) = forgotten.first()?;
    let place = program.source(Location { func: *func, inst: *inst }).filter(|s| s.line > 0);
    let line = place.map_or_else(String::new, |loc| format!(" (line {})", loc.line));
    let more = match forgotten.len() {
        1 => " is".to_owned(),
        all => format!(" and {} more operations are", all - 1),
    };
    let text = ir::print::print_inst(&program.module, &program.module.functions[*func], *inst);
    Some(format!("activity: `{}`{line}{more} active here, but without derivative in the gradient", text.trim()))
}

/// The instructions of primals for which a gradient, or what it reaches, has adjoints or tangents.
fn differentiated(program: &Program, gradient: FuncId) -> BTreeSet<Origin> {
    let mut found = BTreeSet::new();
    for id in reachable(&program.module, gradient) {
        let function = &program.module.functions[id];
        let origins = function.inst_order().filter_map(|(_, inst)| function.insts[inst].origin);
        let derivatives = origins.filter(|o| matches!(o.role, Role::Adjoint | Role::Tangent));
        found.extend(derivatives.map(|o| (o.func, o.inst)));
    }
    found
}

/// Runs the primal with tainted inputs: what was seen, and what reaches the results.
fn run(primal: &Primal<'_>, machine: Follow) -> Option<(Follow, Tainted)> {
    let (memory, args) = primal.start();
    let mut memory: Memory<Tainted> = memory.without_shadows();
    let mut args: Vec<Value<Tainted>> = args.iter().map(Value::without_shadows).collect();
    for input in &primal.inputs {
        match input.place {
            Place::Cell(cell) => memory.set_shadow(cell.pointer(), cell.size(), Tainted::group(INPUT)),
            Place::Scalar(scalar) => {
                let (parameter, leaf) = primal.scalar(scalar);
                if let Some((_, shadow)) = args.get_mut(parameter).and_then(|v| v.leaves.get_mut(leaf)) {
                    *shadow = Tainted::group(INPUT);
                }
            }
        }
    }
    let mut interp = Interp::with_memory(primal.program(), machine, memory, primal.limits().clone());
    let result = interp.call(primal.function(), &args).ok()?;
    let (machine, memory) = interp.into_parts();
    let cells = primal.exit.iter().filter_map(|cell| memory.shadow(cell.pointer(), cell.size()));
    let leaves = result.leaves.iter().map(|(_, shadow)| shadow);
    let mut reached = Tainted::default();
    cells.chain(leaves).for_each(|shadow| reached.add(*shadow));
    Some((machine, reached))
}
