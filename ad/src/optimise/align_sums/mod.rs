//! Adjoints that neighbouring iterations add to one cell are added up first.
//!
//! A loop that reads `x[i-1]`, `x[i]` and `x[i+1]` is reversed by adding to three adjoints in each iteration, so that
//! each is loaded and stored three times, and each load waits for a store of the iteration before: no vectors can be
//! made of that. But what iterations add to a cell can be added up on the way: `s₀`, `s₁`, … are the sums for the cell
//! that this iteration is the last to add to, the next one is, and so on. An iteration adds its terms to these; then
//! `s₀` is added to its cell, and the sums move up. What waits behind the loop is added there. (Loop alignment: Allen &
//! Kennedy, "Optimizing Compilers for Modern Architectures", §6.2.3; scalar replacement of what neighbouring iterations
//! share: Callahan, Carr & Kennedy, PLDI 1990. For adjoints of stencils: Hückelheim et al., "Automatic Differentiation
//! for Adjoint Stencil Loops", ICPP 2019, which makes loops over the cells.)
//!
//! It is done in a loop of the reverse pass that is one block and the edge back, if
//!
//! - the addresses of the sums have one form ([`forms`]) but for a number, and are a few whole strides apart. If cells
//!   between them are left out, some of these that wait in the end may be cells that no iteration has added to, as
//!   there have been too few; these are not touched;
//! - nothing else in the loop may touch shadow memory that is not told: all other accesses of shadow memory keep away
//!   from the cells that wait, which are as many bytes from this iteration's cell to the last one's. An access that
//!   moves by the same stride is always as far away, so that is asked once, where the loop is entered, beside a copy of
//!   the loop that goes on as before; or it is in memory of another object ([`crate::analysis::affine::distinct`]).
//!
//! The order of the terms of a sum changes, and nothing else.

pub mod forms;

use crate::base::{alias_scopes, blocks};
use crate::emit::zero_guard;
use crate::optimise::align_sums::forms::{Form, Forms, between, distance};
use crate::optimise::zero_loads;
use crate::program::externals::{External, classify};
use ir::hash::{HashMap, HashSet};
use ir::{BinOp, BlockId, Function, InstId, InstKind, MdId, Module, Operand, TypeId, ValueId};

/// The longest lag, and the most accesses of shadow memory in a loop.
const DEEPEST: i64 = 8;
const MOST: usize = 48;

/// A loop of a gradient: a block without phis, and an edge back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loop {
    pub body: BlockId,
    pub latch: BlockId,
    pub exit: BlockId,
}

impl Loop {
    fn holds(&self, f: &Function, inst: InstId) -> bool {
        [self.body, self.latch].iter().any(|b| f.blocks[*b].insts.contains(&inst))
    }
}

/// What an iteration adds to a cell.
#[derive(Clone, Debug)]
pub(crate) struct Sum {
    pub load: InstId,
    pub adds: Vec<InstId>,
    pub store: InstId,
    /// The terms, the first one first.
    pub terms: Vec<Operand>,
    /// So many iterations later the cell is added to for the last time.
    pub lag: usize,
}

/// Sums of one form.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub ty: TypeId,
    /// Bytes from a cell to that of the next iteration.
    pub stride: i64,
    /// By their lags. The first one's cell is complete.
    pub sums: Vec<Sum>,
}

impl Group {
    /// The longest lag.
    pub fn deepest(&self) -> usize {
        self.sums.last().map_or(0, |sum| sum.lag)
    }

    /// So many iterations before the last one, the cell of a lag was added to for the first time.
    pub fn since(&self, lag: usize) -> usize {
        self.sums.iter().find(|sum| sum.lag >= lag).map_or(0, |sum| sum.lag - lag)
    }
}

/// A distance that must be asked for where the loop is entered: at most `low`, or at least `high`.
#[derive(Clone, Debug)]
pub(crate) struct Distance {
    pub form: Form,
    pub low: i64,
    pub high: i64,
}

/// A loop in which sums wait.
#[derive(Clone, Debug)]
pub(crate) struct Aligned {
    pub of: Loop,
    pub groups: Vec<Group>,
    pub asked: Vec<Distance>,
}

/// What is known of the accesses of a gradient's function.
pub(crate) struct Known<'a> {
    /// Loads and stores of shadow memory.
    pub cells: &'a HashSet<InstId>,
    /// Loads and stores of the primal's memory, which no shadow is.
    pub primal: &'a HashSet<InstId>,
    /// The list of records.
    pub records: MdId,
    /// Are two accesses of shadow memory to different objects?
    pub others: &'a dyn Fn(InstId, InstId) -> bool,
}

/// The loops of a function in which sums can wait.
pub(crate) fn find(m: &Module, f: &Function, known: &Known) -> Vec<Aligned> {
    let slots = zero_loads::slots(f);
    let (mut preds, mut uses): (HashMap<BlockId, Vec<BlockId>>, HashMap<ValueId, Vec<InstId>>) = Default::default();
    for block in &f.layout {
        f.successors(*block).into_iter().for_each(|to| preds.entry(to).or_default().push(*block));
    }
    for (_, inst) in f.inst_order() {
        f.insts[inst]
            .kind
            .operands()
            .iter()
            .filter_map(|o| o.local())
            .for_each(|v| uses.entry(v).or_default().push(inst));
    }
    let loops = f.layout.iter().filter_map(|block| loop_of(f, &preds, *block));
    let finder = |of| Finder { m, f, known, uses: &uses, forms: Forms { m, f, slots: &slots, of: Some(of) } };
    loops.filter_map(|of| finder(of).aligned()).collect()
}

/// Are there stores to shadow memory at addresses that are a number of bytes apart, whatever the function is given?
pub(crate) fn has_neighbours(m: &Module, f: &Function, cells: &HashSet<InstId>) -> bool {
    let slots = HashSet::default();
    let forms = Forms { m, f, slots: &slots, of: None };
    let form = |inst: &InstId| match f.insts[*inst].kind {
        InstKind::Store { ptr, .. } => forms.form(ptr),
        _ => None,
    };
    let all: Vec<Form> = cells.iter().filter_map(form).take(MOST).collect();
    all.iter().enumerate().any(|(n, one)| all[..n].iter().any(|other| distance(other, one).is_some_and(|by| by != 0)))
}

/// The loop whose body a block is.
fn loop_of(f: &Function, preds: &HashMap<BlockId, Vec<BlockId>>, body: BlockId) -> Option<Loop> {
    let InstKind::CondBr { then_to, else_to, .. } = f.insts[f.terminator(body)?].kind else { return None };
    let is_edge = |block: BlockId| preds[&block] == [body] && f.successors(block).len() == 1;
    let back = |block: BlockId| is_edge(block) && f.successors(block) == [body];
    let (latch, exit) = match (back(then_to), back(else_to)) {
        (true, false) => (then_to, else_to),
        (false, true) => (else_to, then_to),
        _ => return None,
    };
    let plain = is_edge(exit) && [body, latch, exit].iter().all(|b| blocks::phis(f, *b).is_empty());
    let behind = f.successors(exit);
    (plain && behind.iter().all(|b| blocks::phis(f, *b).is_empty())).then_some(Loop { body, latch, exit })
}

struct Finder<'a> {
    m: &'a Module,
    f: &'a Function,
    known: &'a Known<'a>,
    uses: &'a HashMap<ValueId, Vec<InstId>>,
    forms: Forms<'a>,
}

/// A sum with its address.
struct Placed {
    sum: Sum,
    ty: TypeId,
    form: Form,
    stride: i64,
}

impl Finder<'_> {
    fn aligned(&self) -> Option<Aligned> {
        let of = self.forms.of?;
        let inside = |block: BlockId| self.f.blocks[block].insts.iter().copied();
        (inside(of.body).chain(inside(of.latch)).all(|inst| self.keeps_to_itself(inst)) && self.leaves_nothing())
            .then_some(())?;
        let accesses: Vec<InstId> = inside(of.body).filter(|i| self.known.cells.contains(i)).collect();
        let none = |block| inside(block).all(|i| !self.known.cells.contains(&i));
        (accesses.len() <= MOST && none(of.latch) && none(of.exit)).then_some(())?;
        let (mut groups, mut asked) = (Vec::new(), Vec::new());
        for (group, first) in self.groups(&accesses) {
            if let Some(distances) = self.apart(&group, &first, &accesses) {
                groups.push(group);
                asked.extend(distances);
            }
        }
        (!groups.is_empty()).then_some(Aligned { of, groups, asked })
    }

    /// Does an instruction touch no shadow memory but by the loads and stores that are known?
    fn keeps_to_itself(&self, inst: InstId) -> bool {
        let data = &self.f.insts[inst];
        let told = |ptr| {
            let known = self.known;
            self.forms.slots.contains(ptr) || known.cells.contains(&inst) || alias_scopes::of(data, known.records)
        };
        match &data.kind {
            InstKind::Load { ptr, volatile: false, atomic: None, .. }
            | InstKind::Store { ptr, volatile: false, atomic: None, .. } => {
                told(ptr) || self.known.primal.contains(&inst)
            }
            InstKind::Call(call) => self.m.as_function(call.callee).is_some_and(|callee| {
                let callee = &self.m.functions[callee];
                match classify(self.m, callee) {
                    External::Rule(row) => row.returns_only(),
                    _ => zero_guard::is_guard(&callee.name),
                }
            }),
            InstKind::Load { .. } => false,
            kind => !zero_loads::writes(self.m, kind),
        }
    }

    /// Is what the loop makes used in it and on the edge out of it only, so that it can be copied?
    fn leaves_nothing(&self) -> bool {
        let Some(Loop { body, latch, exit }) = self.forms.of else { return false };
        let own: HashSet<InstId> =
            [body, latch, exit].iter().flat_map(|b| self.f.blocks[*b].insts.iter().copied()).collect();
        own.iter()
            .filter_map(|i| self.f.insts[*i].result)
            .all(|v| self.uses.get(&v).into_iter().flatten().all(|user| own.contains(user)))
    }

    /// The sums that can wait, with the form of the first one's address.
    fn groups(&self, accesses: &[InstId]) -> Vec<(Group, Form)> {
        let mut sums: Vec<Placed> = accesses.iter().filter_map(|store| self.placed(*store)).collect();
        let mut out = Vec::new();
        while let Some(first) = sums.pop() {
            let is_like = |other: &Placed| {
                let away = distance(&first.form, &other.form);
                other.ty == first.ty && away.is_some_and(|by| by % first.stride == 0)
            };
            let (alike, rest): (Vec<Placed>, Vec<Placed>) = std::mem::take(&mut sums).into_iter().partition(is_like);
            sums = rest;
            let (ty, stride, start) = (first.ty, first.stride, first.form.clone());
            // The last to add to a cell is the one that has come the least way.
            let way = |other: Placed| (distance(&start, &other.form).map_or(0, |by| by / stride), other);
            let mut ways: Vec<(i64, Placed)> = alike.into_iter().chain([first]).map(way).collect();
            ways.sort_by_key(|(way, _)| *way);
            let least = ways[0].0;
            let near = ways.partition_point(|(way, _)| way - least <= DEEPEST);
            sums.extend(ways.split_off(near).into_iter().map(|(_, far)| far));
            let deepest = (ways[near - 1].0 - least) as usize;
            // Sums for cells that are left out are moved up as well.
            if deepest == 0 || deepest >= 2 * near {
                continue;
            }
            let form = ways[0].1.form.clone();
            let lagging = ways.into_iter().map(|(way, placed)| Sum { lag: (way - least) as usize, ..placed.sum });
            out.push((Group { ty, stride, sums: lagging.collect() }, form));
        }
        out
    }

    /// A store that adds to what is there, at an address with a form that moves.
    fn placed(&self, store: InstId) -> Option<Placed> {
        let InstKind::Store { value, ptr, .. } = self.f.insts[store].kind else { return None };
        let ty = self.m.operand_ty(self.f, value);
        self.m.types.float_kind(ty)?;
        let mut sum = Sum { load: store, adds: Vec::new(), store, terms: Vec::new(), lag: 0 };
        self.added(value, ptr, &mut sum)?;
        let form = self.forms.form(ptr)?;
        let stride = self.forms.stride(&form)?;
        let size = self.m.size_of(ty);
        // Cells of neighbouring iterations do not overlap.
        (stride.unsigned_abs() >= size && stride.unsigned_abs() < 1 << 32).then_some(Placed { sum, ty, form, stride })
    }

    /// What is added to a load from that address.
    fn added(&self, value: Operand, ptr: Operand, sum: &mut Sum) -> Option<()> {
        let v = value.local()?;
        let inst = self.f.def_inst(v)?;
        let once = self.uses.get(&v).is_some_and(|users| users.len() == 1);
        (once && self.forms.of.is_some_and(|of| self.f.blocks[of.body].insts.contains(&inst))).then_some(())?;
        match self.f.insts[inst].kind {
            InstKind::Load { ptr: from, .. } if from == ptr && self.known.cells.contains(&inst) => {
                sum.load = inst;
                Some(())
            }
            InstKind::Binary { op: BinOp::FAdd, lhs, rhs, .. } => {
                let term = match self.added(lhs, ptr, sum) {
                    Some(()) => rhs,
                    None => self.added(rhs, ptr, sum).map(|()| lhs)?,
                };
                sum.adds.push(inst);
                sum.terms.push(term);
                Some(())
            }
            _ => None,
        }
    }

    /// What must be asked so that all other accesses keep away from the cells that wait; `None` if that cannot be told.
    fn apart(&self, group: &Group, first: &Form, accesses: &[InstId]) -> Option<Vec<Distance>> {
        let own = |inst: &InstId| group.sums.iter().any(|sum| sum.load == *inst || sum.store == *inst);
        let (size, ahead) = (self.m.size_of(group.ty) as i64, group.stride * group.deepest() as i64);
        let mut asked: Vec<Distance> = Vec::new();
        for access in accesses.iter().filter(|inst| !own(inst)) {
            let (ptr, ty) = match self.f.insts[*access].kind {
                InstKind::Load { ptr, .. } => (ptr, self.f.insts[*access].ty),
                InstKind::Store { ptr, value, .. } => (ptr, self.m.operand_ty(self.f, value)),
                _ => return None,
            };
            if (self.known.others)(*access, group.sums[0].store) {
                continue;
            }
            let form = self.forms.form(ptr)?;
            let bytes = self.m.size_of(ty) as i64;
            let way = Distance { form: between(first, &form)?, low: ahead.min(0) - bytes, high: ahead.max(0) + size };
            match way.form.constant() {
                // It may lie between two of them.
                Some(by) => {
                    let meets = |cell: i64| by.0 > cell - bytes && by.0 < cell + size;
                    (!(0..=group.deepest() as i64).any(|lag| meets(group.stride * lag))).then_some(())?;
                }
                None => {
                    (self.forms.stride(&way.form)? == 0).then_some(())?;
                    let known = |d: &Distance| {
                        d.low == way.low && d.high == way.high && distance(&way.form, &d.form) == Some(0)
                    };
                    if !asked.iter().any(known) {
                        asked.push(way);
                    }
                }
            }
        }
        Some(asked)
    }
}
