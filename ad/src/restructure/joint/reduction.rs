//! The form of a loop of independent summands: counters, sums, and one way through.
//!
//! What stays in the loop when an iteration becomes a call: its counters and what decides whether it goes on, all pure
//! arithmetic of what the loop does not change. A *sum* is a float `s` of the header that each iteration makes `s + g`,
//! in steps whose derivative with respect to `s` is one by the table, which nobody but these steps reads: then `g` is
//! what the iteration gives if it starts from zero.

use crate::analysis::context::Context;
use crate::analysis::loops::counters::Induction;
use crate::base::blocks;
use crate::base::regions::Shape;
use crate::program::externals::{External, classify};
use ir::hash::{HashMap, HashSet};
use ir::loops::LoopId;
use ir::{BinOp, BlockId, InstId, InstKind, Operand, ValueId};

/// A sum: the header's phi, and its value at the end of the iteration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sum {
    pub phi: InstId,
    pub value: ValueId,
    pub next: ValueId,
}

/// A loop of this form.
#[derive(Clone, Debug)]
pub(super) struct Shell {
    pub of: LoopId,
    /// The block that leaves the loop, the header or the latch, and where it goes.
    pub exit: (BlockId, BlockId),
    pub latch: BlockId,
    /// Phis of counters.
    pub counters: Vec<InstId>,
    pub sums: Vec<Sum>,
    /// Phis that are never seen but with the value that they start with.
    pub fixed: Vec<(ValueId, Operand)>,
    /// What else stays, in the order of the blocks.
    pub stays: Vec<InstId>,
    /// The steps of the sums.
    pub chain: Vec<InstId>,
}

/// The form of a loop, if it is this one.
pub(super) fn of(
    (cx, shape, users): (&Context, &Shape, &Users),
    counters: &HashMap<ValueId, Induction>,
    of: LoopId,
) -> Option<Shell> {
    let data = &shape.loops.loops[of];
    let ([latch], [exit]) = (data.latches.as_slice(), data.exits.as_slice()) else { return None };
    if exit.0 != *latch && exit.0 != data.header {
        return None;
    }
    let InstKind::CondBr { cond, then_to, else_to } = cx.func.insts[cx.func.terminator(exit.0)?].kind else {
        return None;
    };
    let goes_on = matches!(cx.func.insts[cx.func.terminator(*latch)?].kind, InstKind::Br(_));
    if then_to == else_to || exit.0 != *latch && !goes_on {
        return None;
    }
    let look = Look { cx, shape, of, users };
    let mut shell = Shell {
        of,
        exit: *exit,
        latch: *latch,
        counters: Vec::new(),
        sums: Vec::new(),
        fixed: Vec::new(),
        stays: Vec::new(),
        chain: Vec::new(),
    };
    let mut work = vec![cond];
    for phi in blocks::phis(cx.func, data.header) {
        let value = cx.func.insts[phi].result?;
        let next = look.incoming(phi, *latch)?;
        if counters.get(&value).is_some_and(|c| c.of == of) {
            shell.counters.push(phi);
            work.push(next);
        } else if let Some((sum, links)) = look.sum(phi, value, next) {
            shell.sums.push(sum);
            shell.chain.extend(links);
        } else {
            shell.fixed.push((value, look.fixed(phi, value, next)?));
        }
    }
    let stays = look.stays(&shell, work)?;
    let order = data.blocks.iter().flat_map(|b| cx.func.blocks[*b].insts.iter().copied());
    shell.stays = order.filter(|i| stays.contains(i)).collect();
    look.leaves_nothing_else(&shell).then_some(shell)
}

/// The instructions that read a value.
pub(super) type Users = HashMap<ValueId, Vec<InstId>>;

/// Who reads each value.
pub(super) fn users(cx: &Context) -> Users {
    let mut out: Users = HashMap::default();
    for (_, inst) in cx.func.inst_order() {
        for value in cx.func.insts[inst].kind.operands().into_iter().filter_map(Operand::local) {
            out.entry(value).or_default().push(inst);
        }
    }
    out
}

struct Look<'a> {
    cx: &'a Context<'a>,
    shape: &'a Shape,
    of: LoopId,
    users: &'a Users,
}

impl Look<'_> {
    fn inside(&self, inst: InstId) -> bool {
        self.shape.block(inst).is_some_and(|b| self.shape.loops.contains(self.of, b))
    }

    /// Does the loop not change it?
    fn is_outside(&self, operand: Operand) -> bool {
        operand.local().and_then(|v| self.cx.func.def_inst(v)).is_none_or(|inst| !self.inside(inst))
    }

    fn users(&self, value: ValueId) -> &[InstId] {
        self.users.get(&value).map_or(&[], Vec::as_slice)
    }

    fn incoming(&self, phi: InstId, from: BlockId) -> Option<Operand> {
        let InstKind::Phi { incoming, .. } = &self.cx.func.insts[phi].kind else { return None };
        incoming.iter().find(|(_, b)| *b == from).map(|(o, _)| *o)
    }

    fn is_header_phi(&self, inst: InstId) -> bool {
        let header = self.shape.loops.loops[self.of].header;
        matches!(self.cx.func.insts[inst].kind, InstKind::Phi { .. }) && self.shape.block(inst) == Some(header)
    }

    fn sum(&self, phi: InstId, value: ValueId, next: Operand) -> Option<(Sum, Vec<InstId>)> {
        self.cx.m.types.float_kind(self.cx.func.insts[phi].ty)?;
        // All that depends on the sum before.
        let mut chain = HashSet::from_iter([value]);
        let mut work = vec![value];
        let mut links = Vec::new();
        while let Some(v) = work.pop() {
            for user in self.users(v).iter().copied().filter(|u| self.inside(*u) && *u != phi) {
                if self.is_header_phi(user) {
                    return None;
                }
                let result = self.cx.func.insts[user].result?;
                links.push(user);
                if chain.insert(result) {
                    work.push(result);
                }
            }
        }
        let next = next.local().filter(|v| *v != value && chain.contains(v))?;
        links.iter().all(|inst| self.adds_to(*inst, &chain)).then_some((Sum { phi, value, next }, links))
    }

    /// Is the result a sum of one of the chain, and of what is none?
    fn adds_to(&self, inst: InstId, chain: &HashSet<ValueId>) -> bool {
        let within = |o: &Operand| o.local().is_some_and(|v| chain.contains(&v));
        let row = |row: Option<&rules::Row>, args: &[Operand]| {
            let Some(row) = row.filter(|row| row.returns_only()) else { return false };
            let positions: Vec<usize> = row.float_positions().collect();
            let places: Vec<usize> = (0..args.len()).filter(|i| within(&args[*i])).collect();
            let [place] = places.as_slice() else { return false };
            let operand = positions.iter().position(|p| p == place);
            operand.and_then(|o| row.partial(0, o)).is_some_and(|partial| partial.expr.is_one())
        };
        match &self.cx.func.insts[inst].kind {
            InstKind::Phi { incoming, .. } => incoming.iter().all(|(o, _)| within(o)),
            InstKind::Select { cond, if_true, if_false, .. } => within(if_true) && within(if_false) && !within(cond),
            InstKind::Binary { op, lhs, rhs, .. } => row(rules::lookup_opcode(op.name()), &[*lhs, *rhs]),
            InstKind::Call(call) => {
                let callee = self.cx.m.as_function(call.callee).map(|f| classify(self.cx.m, &self.cx.m.functions[f]));
                matches!(callee, Some(External::Rule(known)) if row(Some(known), &call.args))
            }
            _ => false,
        }
    }

    /// The value that a phi starts with, if it is seen with no other: it is its own next value; or the header branches
    /// by something that the loop does not change, and only phis on one side of that branch read it, one of which is
    /// its next value. On that side it keeps its value; on the other nobody reads it. (What the optimiser makes of a
    /// load that one side has in common with the iteration before.)
    fn fixed(&self, phi: InstId, value: ValueId, next: Operand) -> Option<Operand> {
        let data = &self.shape.loops.loops[self.of];
        let InstKind::Phi { incoming, .. } = &self.cx.func.insts[phi].kind else { return None };
        let mut starts = incoming.iter().filter(|(_, b)| !self.shape.loops.contains(self.of, *b)).map(|(o, _)| *o);
        let start = starts.next().filter(|start| starts.all(|s| s == *start))?;
        if next == Operand::Local(value) {
            return Some(start);
        }
        let end = &self.cx.func.insts[self.cx.func.terminator(data.header)?].kind;
        let InstKind::CondBr { cond, then_to, else_to } = *end else { return None };
        let next = self.cx.func.def_inst(next.local()?)?;
        let side = self.shape.block(next)?;
        let is_side = then_to != else_to && (side == then_to || side == else_to) && side != data.header;
        if !is_side || !self.is_outside(cond) || self.shape.region(side) != Some(self.of) {
            return None;
        }
        let reads = |user: &InstId| {
            let InstKind::Phi { incoming, .. } = &self.cx.func.insts[*user].kind else { return false };
            let at_side = self.shape.block(*user) == Some(side);
            at_side && incoming.iter().all(|(o, from)| *o != Operand::Local(value) || *from == data.header)
        };
        let keeps = self.incoming(next, data.header) == Some(Operand::Local(value));
        (keeps && self.users(value).iter().all(reads)).then_some(start)
    }

    /// What the work depends on in the loop: pure arithmetic of counters.
    fn stays(&self, shell: &Shell, mut work: Vec<Operand>) -> Option<HashSet<InstId>> {
        let mut out = HashSet::default();
        while let Some(operand) = work.pop() {
            let Some(inst) = operand.local().and_then(|v| self.cx.func.def_inst(v)).filter(|i| self.inside(*i)) else {
                continue;
            };
            if shell.counters.contains(&inst) || !out.insert(inst) {
                continue;
            }
            let kind = &self.cx.func.insts[inst].kind;
            let pure = match kind {
                InstKind::Binary { op, .. } => {
                    matches!(
                        op,
                        BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::And | BinOp::Or | BinOp::Shl | BinOp::LShr
                    )
                }
                InstKind::ICmp { .. } | InstKind::Cast { .. } | InstKind::Gep { .. } | InstKind::Select { .. } => true,
                _ => false,
            };
            if !pure {
                return None;
            }
            work.extend(kind.operands());
        }
        Some(out)
    }

    /// Is nothing of an iteration used behind the loop but its sums, its counters and what stays?
    fn leaves_nothing_else(&self, shell: &Shell) -> bool {
        let known = |v: ValueId| {
            let inst = self.cx.func.def_inst(v);
            let kept = inst.is_some_and(|i| shell.counters.contains(&i) || shell.stays.contains(&i));
            kept || shell.sums.iter().any(|s| s.value == v || s.next == v)
        };
        let data = &self.shape.loops.loops[self.of];
        let defined = data.blocks.iter().flat_map(|b| &self.cx.func.blocks[*b].insts);
        let mut defined = defined.filter_map(|i| self.cx.func.insts[*i].result);
        defined.all(|v| known(v) || self.users(v).iter().all(|u| self.inside(*u)))
    }
}
