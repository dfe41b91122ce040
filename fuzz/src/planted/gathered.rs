//! Defects of what threads gather before they add it (`ad::gathered_add`).

use super::{Pass, Planted, around, called, made, remove};
use ir::{Function, InstId, InstKind, Module};

/// Is it one of these?
pub(super) fn is_of_gathering(planted: Planted) -> bool {
    use Planted::{ClaimedByAll, GatheredLost, NotHandedOver, NotMet, NotSettled};
    [NotSettled, NotHandedOver, GatheredLost, NotMet, ClaimedByAll].contains(&planted)
}

/// Plants it at an instruction.
pub(super) fn change(m: &mut Module, f: &mut Function, (pass, inst): (Pass, InstId), planted: Planted) -> Option<()> {
    let name = called(m, f, inst);
    let all = name.starts_with("__adj_settle_all_");
    let one = name.starts_with("__adj_settle_") && !all;
    let planned = match planted {
        Planted::NotSettled => one,
        Planted::NotHandedOver => all && pass == Pass::Reverse,
        Planted::GatheredLost => all && pass == Pass::ReverseTeam,
        Planted::NotMet => {
            let (block, at) = around(f, inst)?;
            let next = block.get(at + 1).map_or("", |next| called(m, f, *next));
            name == "__kmpc_barrier" && next.starts_with("__adj_settle_all_")
        }
        _ => false,
    };
    planned.then(|| remove(f, inst))
}

/// Each thread takes a page for its own that another one has claimed. In how many places?
pub(super) fn claimed_by_all(m: &mut Module) -> usize {
    let yes = m.int(1, 1);
    let mut places = 0;
    for f in m.functions.values_mut().filter(|f| f.name.starts_with("__adj_gather_anew_")) {
        for inst in f.inst_order().map(|(_, inst)| inst).collect::<Vec<_>>() {
            let InstKind::CondBr { cond, .. } = f.insts[inst].kind else { continue };
            if !matches!(made(f, cond), Some(InstKind::ExtractValue { .. })) {
                continue;
            }
            if let InstKind::CondBr { cond, .. } = &mut f.insts[inst].kind {
                *cond = yes;
                places += 1;
            }
        }
    }
    places
}
