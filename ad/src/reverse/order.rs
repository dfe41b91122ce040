//! Calls that put threads in an order, and their counterparts in the reverse pass.
//!
//! The reverse pass executes what the threads did in the opposite order, so far as the program has put it in one. All
//! wait for each other where they did (a barrier is its own reverse); sections that excluded each other are reversed
//! one after the other, the last first ([`crate::runtime::turns`]).

use crate::analysis::context::Item;
use crate::base::names::declare;
use crate::emit::gathered_add::settle_everything;
use crate::error::Diagnostic;
use crate::normalise::sources::Sources;
use crate::program::externals::{External, classify};
use crate::program::openmp::{self, Order};
use crate::reverse::Emitter;
use crate::runtime::{run, turns};
use ir::{Call, InstId, Module, Operand};

/// The name of what is executed in the order of iterations.
const IN_ORDER: &str = "ordered";

/// Are there sections that exclude each other?
pub(crate) fn takes_turns(m: &Module, sources: &Sources) -> bool {
    sources.values().any(|func| {
        func.inst_order().any(|(_, inst)| {
            let callee = func.insts[inst].kind.as_call().and_then(|call| m.as_function(call.callee));
            let order = callee.map(|f| classify(m, &m.functions[f]));
            matches!(order, Some(External::Order(Order::Leave { .. })))
        })
    })
}

impl Emitter<'_, '_> {
    /// Is it a section that a lock makes?
    fn is_locked(&self, call: &Call, key: Option<Operand>) -> bool {
        let name = self.b.m.as_function(call.callee).map_or("", |f| self.b.m.functions[f].name.as_str());
        let by_name = key.is_none_or(|key| key.local().is_none() && name.starts_with("__kmpc_"));
        !by_name && name != openmp::LOCK_CELL && name != openmp::UNLOCK_CELL
    }

    /// The counter of a section, from its key.
    fn counter(&mut self, call: &Call, key: Option<Operand>) -> Operand {
        let key = key.unwrap_or_else(|| turns::named(self.b.m, IN_ORDER));
        let name = self.b.m.as_function(call.callee).map_or("", |f| self.b.m.functions[f].name.as_str());
        let of = match name == openmp::LOCK_CELL || name == openmp::UNLOCK_CELL {
            true => turns::of_cell(self.b.m),
            false => run::of(self.b.m),
        };
        self.b.call(of, vec![key]).unwrap_or(key)
    }

    /// Forward, at the end of a section: which one it is.
    pub(super) fn take_turn(&mut self, inst: InstId, call: &Call, key: Option<usize>) {
        let key = key.map(|key| self.primal_of(call.args[key]));
        let counter = self.counter(call, key);
        let take = turns::take(self.b.m);
        if let Some(number) = self.b.call(take, vec![counter]) {
            self.call_records.insert(inst, number);
            self.record(Item::Record(inst));
        }
    }

    /// Reverse.
    pub(super) fn reverse_order(&mut self, call: &Call, inst: InstId, order: Order) -> Result<(), Diagnostic> {
        // Who has memory to itself adds to it until all have come here.
        if order == Order::Barrier && self.env.parallel.has_claims() {
            self.tell_runtime(inst, call, openmp::BARRIER)?;
        }
        // Reductions order nothing that another thread could know of.
        if !call.fn_attrs.has(openmp::OF_REDUCTION) {
            settle_everything(&mut self.b, self.env.parallel.gathered_kinds());
        }
        match order {
            Order::Barrier => self.tell_runtime(inst, call, openmp::BARRIER)?,
            Order::Meet => {
                let callee = self.b.m.as_function(call.callee);
                let args = call.args.iter().map(|arg| self.reverse_primal(*arg)).collect::<Result<Vec<_>, _>>()?;
                if let Some(callee) = callee {
                    self.b.call(callee, args);
                }
            }
            Order::Serialize => self.tell_runtime(inst, call, openmp::END_SERIALIZED)?,
            Order::Join => self.tell_runtime(inst, call, openmp::SERIALIZED)?,
            Order::Leave { key } => {
                let key = key.map(|key| self.reverse_primal(call.args[key])).transpose()?;
                let counter = self.counter(call, key);
                let locked = self.is_locked(call, key);
                let wait = if locked { turns::wait_for_lock(self.b.m) } else { turns::wait(self.b.m) };
                let number = self.fetch(Item::Record(inst))?;
                self.b.call(wait, vec![counter, number]);
            }
            Order::Enter { key } => {
                let key = key.map(|key| self.reverse_primal(call.args[key])).transpose()?;
                let counter = self.counter(call, key);
                let locked = self.is_locked(call, key);
                let end = if locked { turns::end_of_lock(self.b.m) } else { turns::end(self.b.m) };
                self.b.call(end, vec![counter]);
            }
        }
        Ok(())
    }

    /// A call of the runtime by the thread that executes the reverse pass, with the same place in the source.
    fn tell_runtime(&mut self, inst: InstId, call: &Call, name: &str) -> Result<(), Diagnostic> {
        let (ptr, i32t, void) = (self.b.m.types.ptr(), self.b.m.types.int(32), self.b.m.types.void());
        let place = call.args[0];
        if place.local().is_some() {
            return self.unsupported(inst, "the place in the source that is told to the OpenMP runtime is no constant");
        }
        let thread = declare(self.b.m, openmp::THREAD, i32t, &[ptr]);
        let f = declare(self.b.m, name, void, &[ptr, i32t]);
        if let Some(thread) = self.b.call(thread, vec![place]) {
            self.b.call(f, vec![place, thread]);
        }
        Ok(())
    }
}
