//! Points: sections in which nothing happens, where something orders threads without saying for whom ([`super`]).

use super::{call, create};
use crate::base::names::{called_outside, variable};
use crate::normalise::collect::Sources;
use crate::program::openmp::{LOCK_CELL, UNLOCK_CELL};
use crate::runtime::turns;
use ir::{Function, InstId, InstKind, Module, Operand};

/// On which sides of something a point is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Point {
    Before,
    Behind,
    Both,
}

/// Functions that order threads, and where their points are.
const ORDERING: [(&str, Point); 9] = [
    ("__kmpc_flush", Point::Before),
    ("__kmpc_doacross_post", Point::Before),
    ("__kmpc_doacross_wait", Point::Behind),
    ("sem_post", Point::Before),
    ("sem_wait", Point::Behind),
    ("sem_trywait", Point::Behind),
    ("sem_timedwait", Point::Behind),
    ("sem_clockwait", Point::Behind),
    ("pthread_barrier_wait", Point::Both),
];

/// Where the points of an instruction are, if it has any.
pub(super) fn point(m: &Module, func: &Function, inst: InstId) -> Option<Point> {
    if let InstKind::Fence(_) = func.insts[inst].kind {
        return Some(Point::Before);
    }
    let callee = called_outside(m, &func.insts[inst])?;
    ORDERING.iter().find(|(name, _)| *name == callee.name).map(|(_, point)| *point)
}

/// The name of the section of all points.
const POINTS: &str = "points";

/// Makes the points of all sources that are not there yet.
pub(super) fn make_points(m: &mut Module, sources: &mut Sources) {
    let at = turns::named(m, POINTS);
    let locks = [turns::lock_cell(m, LOCK_CELL), turns::unlock_cell(m, UNLOCK_CELL)];
    let void = m.types.void();
    for func in sources.values_mut() {
        for block in func.layout.clone() {
            let insts = func.blocks[block].insts.clone();
            let mut out = Vec::new();
            for (n, inst) in insts.iter().enumerate() {
                let side = point(m, func, *inst);
                let pass = |m: &mut Module, func: &mut Function, out: &mut Vec<InstId>| {
                    out.extend(locks.map(|f| {
                        let kind = call(m, f, at);
                        create(func, *inst, kind, void, false)
                    }));
                };
                let is_point = |m: &Module, func: &Function, other: Option<&InstId>| {
                    other.is_some_and(|other| is_of_point(m, func, *other))
                };
                let before = matches!(side, Some(Point::Before | Point::Both));
                if before && !is_point(m, func, n.checked_sub(1).and_then(|n| insts.get(n))) {
                    pass(m, func, &mut out);
                }
                out.push(*inst);
                let behind = matches!(side, Some(Point::Behind | Point::Both));
                if behind && !is_point(m, func, insts.get(n + 1)) {
                    pass(m, func, &mut out);
                }
            }
            func.blocks[block].insts = out;
        }
    }
}

/// Is it a part of a point?
pub(super) fn is_of_point(m: &Module, func: &Function, inst: InstId) -> bool {
    let Some(call) = func.insts[inst].kind.as_call() else { return false };
    let of = |name: &str| m.as_function(call.callee).is_some_and(|f| m.functions[f].name == name);
    let all = |arg: &Operand| {
        arg.constant()
            .and_then(|c| variable(m, c))
            .is_some_and(|g| m.globals[g].name.strip_prefix(turns::VARIABLES) == Some(POINTS))
    };
    (of(LOCK_CELL) || of(UNLOCK_CELL)) && call.args.first().is_some_and(all)
}
