//! Small functions, analysed, for the tests of single analyses.

use crate::analysis::analyses::Analyses;
use crate::analysis::context::Context;
use crate::analysis::memory::Facts;
use crate::mode::Activity;
use crate::normalise::collect::collect;
use crate::normalise::sources::Sources;
use ir::{FuncId, Function, InstId, Module, Operand};
use std::collections::BTreeSet;

/// A function `f`, and what is known of it.
pub(crate) struct Small {
    m: Module,
    sources: Sources,
    facts: Analyses,
    differentiable: BTreeSet<FuncId>,
    id: FuncId,
}

impl Small {
    /// Analyses it, with these activities of its arguments.
    pub fn new(text: &str, activities: &[Activity]) -> Small {
        let mut m = ir::parse(text, "small").expect("the test's IR parses");
        let id = m.function("f").expect("`f` is there");
        let sources = collect(&mut m, id).expect("it can be normalised");
        let facts = Facts::analyse(&m, &sources, id, activities, &Default::default()).expect("it converges");
        Small { m, sources, facts: Analyses::from(facts), differentiable: BTreeSet::from([id]), id }
    }

    /// What all analyses are given.
    pub fn cx(&self) -> Context<'_> {
        let Small { m, sources, facts, differentiable, id } = self;
        Context { m, facts, sources, differentiable, id: *id, func: &sources[id] }
    }
}

/// The instruction whose result has this name.
pub(crate) fn named(func: &Function, name: &str) -> InstId {
    let is_it = |inst: &InstId| func.insts[*inst].result.is_some_and(|v| func.values[v].name == name);
    func.inst_order().map(|(_, inst)| inst).find(is_it).unwrap_or_else(|| panic!("nothing is called %{name}"))
}

/// Its result.
pub(crate) fn value(func: &Function, name: &str) -> Operand {
    func.insts[named(func, name)].result.map(Operand::Local).expect("it has a result")
}
