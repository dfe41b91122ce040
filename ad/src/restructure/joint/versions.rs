//! A loop whose iterations are executed when they are reversed if they turn out to be independent where the loop is
//! entered, beside a copy that runs forwards and leaves its tape if not.

use crate::analysis::context::Context;
use crate::base::builder::Builder;
use crate::base::copy::{self, Copy};
use crate::base::marks::APART;
use crate::base::regions::Shape;
use crate::base::{alias_scopes, blocks};
use crate::restructure::joint::bounds::{Ends, Truth};
use crate::restructure::joint::independent::{self, Access};
use crate::restructure::joint::reduction::Shell;
use ir::hash::HashMap;
use ir::loops::{Loop, LoopId};
use ir::{BlockId, FuncId, Function, InstKind, Module};

/// The block before the loop, if it goes nowhere else, and the loop can be copied: behind it nobody asks from where he
/// came.
pub(super) fn before((cx, shape): (&Context, &Shape), l: LoopId) -> Option<BlockId> {
    let data = &shape.loops.loops[l];
    let [(_, exit)] = data.exits[..] else { return None };
    let mut entering = shape.cfg.preds(data.header).iter().copied().filter(|p| !shape.loops.contains(l, *p));
    let (enter, None) = (entering.next()?, entering.next()) else { return None };
    let jumps = matches!(cx.func.insts[cx.func.terminator(enter)?].kind, InstKind::Br(_));
    (jumps && blocks::phis(cx.func, exit).is_empty()).then_some(enter)
}

/// Asks before the loop whether its accesses are apart, and lets it run in a copy if they are not; false if they never
/// are.
pub(super) fn apply(
    m: &mut Module,
    (id, func): (FuncId, &mut Function),
    (data, enter): (&Loop, BlockId),
    (shell, accesses): (&mut Shell, &[Access]),
) -> bool {
    let Some(end) = func.blocks[enter].insts.pop() else { return false };
    let loc = func.insts[end].loc;
    let own = std::mem::replace(func, Function::new("", func.ret, &[]));
    let mut b = Builder { m, f: own, at: enter, loc, origin: None };
    let mut ends = Ends::new(&mut b, shell.of);
    independent::ask(&mut ends, accesses);
    let truth = ends.holds();
    match truth {
        Truth::Always | Truth::Never => b.f.blocks[enter].insts.push(end),
        Truth::If(condition) => {
            let [fast, slow, left, also_left] =
                ["apart", "together", "apart.end", "together.end"].map(|n| b.f.add_block(n));
            let header = copied(&mut b, (id, data), (enter, slow), (shell.exit.1, also_left));
            b.at = enter;
            b.cond_br(condition, fast, slow);
            for (at, to) in [(fast, data.header), (slow, header), (left, shell.exit.1), (also_left, shell.exit.1)] {
                b.at = at;
                b.br(to);
            }
            blocks::rename_pred(&mut b.f, data.header, enter, fast);
            let out = shell.exit.1;
            if let Some(end) = b.f.terminator(shell.exit.0) {
                b.f.insts[end].kind.map_successors(|to| if to == out { left } else { to });
            }
            shell.exit.1 = left;
        }
    }
    let node = alias_scopes::records(b.m);
    *func = b.f;
    if truth != Truth::Never {
        for load in independent::untouched(accesses) {
            func.insts[load].metadata.push((APART.to_owned(), node));
        }
    }
    truth != Truth::Never
}

/// Copies the blocks of a loop, which are entered and left by other blocks than it; the header of the copy.
fn copied(
    b: &mut Builder,
    (id, data): (FuncId, &Loop),
    (enter, slow): (BlockId, BlockId),
    (exit, left): (BlockId, BlockId),
) -> BlockId {
    let mut copy = Copy { blocks: HashMap::from_iter([(enter, slow), (exit, left)]), ..Copy::default() };
    let names: Vec<_> = data.blocks.iter().map(|at| (*at, format!("{}.together", b.f.blocks[*at].name))).collect();
    copy.add_blocks(&mut b.f, names);
    for block in &data.blocks {
        for inst in b.f.blocks[*block].insts.clone() {
            let original = copy::original(b.m, id, &b.f, inst);
            copy.add(&mut b.f, *block, original);
        }
    }
    copy.rename(&mut b.f, |_, _| None);
    copy.blocks[&data.header]
}
