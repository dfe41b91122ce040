//! First divergence: from a wrong component to the store that made it, the primal instruction that the store stands
//! for, and the line.

use super::comparison::Compared;
use super::gradient::Run;
use super::region::Regions;
use crate::report::{Finding, Position};
use ad::Judged;
use interp::machines::cells::Cell;
use interp::{Location, Program};
use ir::{FuncId, InstKind};

/// The last store to the shadow of a component; for a returned component, the return that gives it.
pub fn store_of(program: &Program, regions: &Regions, run: &Run, gradient: FuncId, of: &Compared) -> Option<Location> {
    match of.cell {
        Some(cell) => store_to(regions, run, cell),
        None => return_of(program, gradient),
    }
}

/// The last store to the shadow of a cell.
pub fn store_to(regions: &Regions, run: &Run, cell: Cell) -> Option<Location> {
    let shadow = regions.shadow_of(cell.address, cell.size())?;
    // A wider store may have covered the cell.
    let stores = (shadow.addr.saturating_sub(15)..=shadow.addr).rev();
    let covering = stores.filter_map(|a| run.probe.stores.get(&a).map(|s| (a, s)));
    covering.filter(|(a, s)| a + s.leaf.store_size() > shadow.addr).map(|(_, s)| s.last).next()
}

/// The return of a function: of several, the last with a position.
pub fn return_of(program: &Program, func: FuncId) -> Option<Location> {
    let function = &program.module.functions[func];
    let returns = function.inst_order().filter(|(_, inst)| matches!(function.insts[*inst].kind, InstKind::Ret(_)));
    let places = returns.map(|(_, inst)| Location { func, inst });
    places.filter(|at| program.source(*at).is_some_and(|s| s.line > 0)).last()
}

/// Puts a finding at an instruction; without one at the head of a given gradient, or at the call of a synthesised one.
#[must_use]
pub fn at(program: &Program, mut finding: Finding, place: Option<Location>, judged: &Judged) -> Finding {
    let module = &program.module;
    let call = || judged.loc.clone().map(Position::from);
    let head = || module.function_loc(&module.functions[judged.gradient]).filter(|_| judged.given).map(Position::from);
    let Some(place) = place else {
        return finding.at(head().or_else(call));
    };
    let function = &module.functions[place.func];
    let instruction = &function.insts[place.inst];
    let line = |loc: Option<ir::SourceLoc>| loc.filter(|s| s.line > 0).map(Position::from);
    let mut primal = None;
    finding.instruction = Some(ir::print::print_inst(module, function, place.inst).trim().to_owned());
    if let Some(origin) = instruction.origin {
        let function = &module.functions[origin.func];
        if function.insts.get(origin.inst).is_some() {
            finding.stands_for = Some(ir::print::print_inst(module, function, origin.inst).trim().to_owned());
            primal = line(module.source_loc(function, origin.inst));
        }
    }
    let own = line(program.source(place));
    // A phi has no position of its own.
    let of_primal = judged.given || instruction.origin.is_none();
    let near = || line(module.nearest_loc(function, place.inst)).filter(|_| of_primal);
    finding.at(own.or(primal).or_else(near).or_else(head).or_else(call))
}
