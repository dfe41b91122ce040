//! Rounded literals: how far they can move an answer is measured.
//!
//! Lanes have no formats, but literals do. `2/√π` written (or folded by a compiler) in a `double` differs from 2/√π by
//! up to half a unit in the last place, and no lane can know. The formula of a right gradient differs from the
//! reference by what the literals of both are rounded by: its own, those of the program that it takes over, and a
//! constant of a rule that may be the same number (`ln 2` beside `exp2`). So both run with lanes in which each literal
//! that may have been rounded is moved by up to half a unit ([`Moves`]): what the difference of gradient and reference
//! moves by is what literals explain of it. The same number is moved alike in both, since it may be the same constant:
//! then a literal that a right gradient takes over from the primal moves nothing.
//!
//! What moves do not show is a series that is cut off below the last place of its format, as for ψ = Γ′/Γ. Where the
//! two differ in some literals, or the primal computes what has no closed derivative (the gamma function, in a gradient
//! that is differentiated once more), half a unit in the last place of each component is left for that.
//!
//! Where neither has one nothing is measured: only the arithmetic of the lanes is left.

use super::number;
use crate::calls::reachable_through_tables;
use interp::machines::{LaneSet, Moves};
use interp::memory::Shadow;
use interp::value::Flat;
use interp::{Leaf, Memory, Program};
use ir::{ConstExpr, ConstId, ConstKind, FloatKind, FuncId, GlobalId, Module, Operand};
use std::collections::BTreeSet;

/// Moves by which a sum that differs is first looked at.
pub const FEW: u32 = 2;
/// Moves by which it is decided.
pub const MOVES: u32 = 8;
/// How many times what the moves show is allowed: a literal may have been rounded more than once, and many of them in
/// one direction.
pub const ALLOWED: f64 = 8.0;
/// What literals may contribute where they cannot be moved, in units of a format's last place: those of tables on the
/// heap, and of very large ones.
const UNMOVED: f64 = 45.0;
/// Numbers of a table that are moved at most.
const TABLE: usize = 1 << 16;

/// The literals by which a gradient and its primal may differ.
#[derive(Clone, Debug, Default)]
pub struct Literals {
    /// Is there any?
    pub apart: bool,
    /// Does the primal name any that moves move?
    pub in_primal: bool,
    /// Tables of literals.
    tables: BTreeSet<GlobalId>,
    /// What may come of literals that cannot be moved, relative to the scale of a sum.
    pub unmoved: f64,
    /// Half a unit in the last place of their coarsest format, relative: a series that is cut off there is as good as a
    /// literal, and moves show nothing of it.
    pub cut: f64,
}

impl Literals {
    /// Of two functions with all that they call.
    pub fn between(module: &Module, primal: FuncId, gradient: FuncId) -> Literals {
        let (ours, theirs) = (Named::by(module, gradient), Named::by(module, primal));
        let differ = |global: &&GlobalId| holds(module, **global, |leaf| matches!(leaf, Leaf::Float(_)));
        let only: BTreeSet<GlobalId> =
            ours.variables.symmetric_difference(&theirs.variables).filter(differ).copied().collect();
        let pointers = |global: &GlobalId| holds(module, *global, |leaf| matches!(leaf, Leaf::Ptr));
        let heap = ours.variables.difference(&theirs.variables).any(pointers);
        let tables: BTreeSet<GlobalId> =
            ours.tables.union(&theirs.tables).copied().chain(only.iter().copied()).collect();
        let large = tables.iter().any(|table| leaves(module, *table).is_none());
        let differ = ours.numbers != theirs.numbers || !only.is_empty() || heap || large;
        // A constant of a rule may be one that the primal names, too: ln 2 beside `exp2`. It moves the gradient twice
        // then.
        let apart = differ || theirs.series || !ours.numbers.is_empty();
        let unmoved = if apart && (heap || large) { UNMOVED * number::epsilon(FloatKind::Double) } else { 0.0 };
        let coarsest = |a: f64, (kind, _): &(FloatKind, u128)| a.max(number::epsilon(*kind));
        let cut = differ || theirs.series;
        let by_cutting =
            ours.numbers.symmetric_difference(&theirs.numbers).fold(number::epsilon(FloatKind::Double), coarsest) / 2.0;
        let in_primal = !theirs.numbers.is_empty() || !tables.is_empty();
        Literals { apart, in_primal, tables, unmoved, cut: if cut { by_cutting } else { 0.0 } }
    }

    /// Gives the numbers in tables the lanes of literals.
    pub fn shadow_tables<S: Shadow>(
        &self,
        program: &Program,
        memory: &mut Memory<S>,
        (moves, precision): (&mut Moves, u32),
        shadow: impl Fn(LaneSet) -> S,
    ) {
        for table in &self.tables {
            let base = program.globals[*table];
            for (leaf, offset) in leaves(&program.module, *table).into_iter().flatten() {
                let (Leaf::Float(kind), pointer) = (leaf, base.offset(offset as i64)) else { continue };
                let Some(value) = memory.load(pointer, leaf, 1).ok().filter(|v| v.is_init()) else { continue };
                let lanes = moves.lanes(kind, value.bits(), precision);
                if !lanes.is_absent() {
                    memory.set_shadow(pointer, leaf.store_size(), shadow(lanes));
                }
            }
        }
    }
}

/// The leaves of a global variable with their offsets; none if it is too large.
fn leaves(module: &Module, global: GlobalId) -> Option<Vec<(Leaf, u64)>> {
    let Some(init) = module.globals[global].init else { return Some(Vec::new()) };
    let ty = module.constants.get(init).ty;
    if module.size_of(ty) > 16 * TABLE as u64 {
        return None;
    }
    Flat::new(&module.types, &module.layout, ty).ok().map(|flat| flat.leaves.to_vec()).filter(|all| all.len() <= TABLE)
}

fn holds(module: &Module, global: GlobalId, what: fn(&Leaf) -> bool) -> bool {
    leaves(module, global).is_none_or(|all| all.iter().any(|(leaf, _)| what(leaf)))
}

/// What a function and what it calls name.
#[derive(Default)]
struct Named {
    /// Numbers that may have been rounded, up to sign and powers of two: formats and significands.
    numbers: BTreeSet<(FloatKind, u128)>,
    /// Constant global variables.
    tables: BTreeSet<GlobalId>,
    /// Other global variables.
    variables: BTreeSet<GlobalId>,
    /// Is there a function of the library whose derivative is a series?
    series: bool,
}

impl Named {
    fn by(module: &Module, root: FuncId) -> Named {
        let mut found = Named::default();
        for id in reachable_through_tables(module, root) {
            let function = &module.functions[id];
            for (_, inst) in function.inst_order() {
                function.insts[inst].kind.for_each_operand(|operand| {
                    if let Operand::Const(constant) = operand {
                        found.collect(module, *constant);
                    }
                    if let Some(callee) = module.as_function(*operand) {
                        let symbol = rules::lookup(&module.functions[callee].name);
                        found.series |= symbol.is_some_and(|symbol| symbol.row.is_differentiated_by_a_series());
                    }
                });
            }
        }
        found
    }

    fn collect(&mut self, module: &Module, id: ConstId) {
        let constant = module.constants.get(id);
        match &constant.kind {
            ConstKind::Float(bits) => {
                let Some(kind) = module.types.float_kind(constant.ty) else { return };
                self.numbers.extend(interp::number::rounded_significand(kind, *bits).map(|odd| (kind, odd)));
            }
            ConstKind::Aggregate(elements) => elements.iter().for_each(|e| self.collect(module, *e)),
            ConstKind::Global(global) => {
                let variable = &module.globals[*global];
                match (variable.constant, variable.init) {
                    (true, Some(init)) if self.tables.insert(*global) => self.collect(module, init),
                    (true, _) => {}
                    (false, _) => drop(self.variables.insert(*global)),
                }
            }
            ConstKind::Expr(ConstExpr::Cast(_, operand) | ConstExpr::Gep { base: operand, .. }) => {
                self.collect(module, *operand);
            }
            _ => {}
        }
    }
}
