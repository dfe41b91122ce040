//! Points: sections in which nothing happens, where something orders threads without saying for whom ([`super`]).

use super::call;
use crate::base::blocks;
use crate::base::names::{called_outside, variable};
use crate::normalise::sources::Sources;
use crate::program::openmp::{LOCK_CELL, UNLOCK_CELL};
use crate::runtime::{run, turns};
use ir::{Function, InstId, InstKind, Module, Operand};

/// On which sides of something a point is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    Before,
    Behind,
    Both,
}

/// A point of an instruction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    side: Side,
    /// What it is a point of, where that is known: others access that with an order, too.
    of: Option<Operand>,
}

impl Point {
    /// May it order what threads access without any order?
    pub(super) fn is_of_all(self) -> bool {
        self.of.is_none()
    }
}

/// Functions that order threads, where their points are, and the argument that these are points of.
const ORDERING: [(&str, Side, Option<usize>); 11] = [
    ("__kmpc_flush", Side::Before, None),
    ("__kmpc_doacross_post", Side::Before, None),
    ("__kmpc_doacross_wait", Side::Behind, None),
    ("sem_post", Side::Before, None),
    ("sem_wait", Side::Behind, None),
    ("sem_trywait", Side::Behind, None),
    ("sem_timedwait", Side::Behind, None),
    ("sem_clockwait", Side::Behind, None),
    ("pthread_barrier_wait", Side::Both, None),
    // Whether a static variable has its value is looked at without a call (Itanium C++ ABI, 3.3.3).
    ("__cxa_guard_release", Side::Before, Some(0)),
    ("__cxa_guard_acquire", Side::Behind, Some(0)),
];

/// The point of an instruction, if it has one.
pub(super) fn point(m: &Module, func: &Function, inst: InstId) -> Option<Point> {
    if let InstKind::Fence(_) = func.insts[inst].kind {
        return Some(Point { side: Side::Before, of: None });
    }
    let callee = called_outside(m, &func.insts[inst])?;
    let (_, side, of) = ORDERING.iter().find(|(name, ..)| *name == callee.name)?;
    let args = func.insts[inst].kind.as_call().map(|call| &call.args);
    Some(Point { side: *side, of: of.and_then(|of| args?.get(of).copied()) })
}

/// The name of the section of all points.
const POINTS: &str = "points";

/// Makes the points of all sources that are not there yet.
pub(super) fn make_points(m: &mut Module, sources: &mut Sources) {
    let all = turns::named(m, POINTS);
    let locks = [turns::lock_cell(m, LOCK_CELL), turns::unlock_cell(m, UNLOCK_CELL)];
    let void = m.types.void();
    for func in sources.values_mut() {
        for block in func.layout.clone() {
            let insts = func.blocks[block].insts.clone();
            let mut out = Vec::new();
            for (n, inst) in insts.iter().enumerate() {
                let Some(point) = point(m, func, *inst) else {
                    out.push(*inst);
                    continue;
                };
                let at = point.of.unwrap_or(all);
                let pass = |m: &mut Module, func: &mut Function, out: &mut Vec<InstId>| {
                    out.extend(locks.map(|f| {
                        let kind = call(m, f, at);
                        blocks::like(m, func, *inst, kind, void)
                    }));
                };
                let passed = |m: &Module, func: &Function, other: Option<&InstId>| {
                    other.is_some_and(|other| is_cell(m, func, *other, |arg| arg == at))
                };
                if point.side != Side::Behind && !passed(m, func, n.checked_sub(1).and_then(|n| insts.get(n))) {
                    pass(m, func, &mut out);
                }
                out.push(*inst);
                if point.side != Side::Before && !passed(m, func, insts.get(n + 1)) {
                    pass(m, func, &mut out);
                }
            }
            func.blocks[block].insts = out;
        }
    }
}

/// Does an instruction begin or end the section of all points?
pub(super) fn is_of_points(m: &Module, func: &Function, inst: InstId) -> bool {
    let all = |arg: Operand| {
        let variable = arg.constant().and_then(|c| variable(m, c));
        variable.is_some_and(|g| m.globals[g].name.strip_prefix(run::VARIABLES) == Some(POINTS))
    };
    is_cell(m, func, inst, all)
}

/// Does an instruction begin or end the section of such a cell?
pub(super) fn is_cell(m: &Module, func: &Function, inst: InstId, cell: impl Fn(Operand) -> bool) -> bool {
    let Some(call) = func.insts[inst].kind.as_call() else { return false };
    let of = |name: &str| m.as_function(call.callee).is_some_and(|f| m.functions[f].name == name);
    (of(LOCK_CELL) || of(UNLOCK_CELL)) && call.args.first().is_some_and(|arg| cell(*arg))
}
