//! The functions that a call reaches, in the form the analyses read, and what is known of them.

use crate::analysis::analyses::Analyses;
use crate::analysis::memory::Facts;
use crate::analysis::taint;
use crate::check::shadows;
use crate::error::Diagnostic;
use crate::mode::{Activity, Style};
use crate::normalise::clone_contexts::{self, Calls, Copies};
use crate::normalise::collect;
use crate::normalise::indirect::Indirect;
use crate::normalise::sources::Sources;
use crate::normalise::{atomics, inline, outline, variadic};
use crate::options::{Lever, Without};
use crate::rewrite::bits::{exponents, masks, signs};
use crate::rewrite::{codes, indirect_calls};
use ir::{FuncId, Module};
use std::collections::BTreeSet;

/// What a derivative is made of.
pub(crate) struct Analysed {
    /// The normalised functions.
    pub sources: Sources,
    /// What is known of them.
    pub facts: Analyses,
    /// Functions that were made for the analyses.
    pub copies: Copies,
    /// What has taken the place of indirect calls.
    pub indirect: Indirect,
}

/// Lowers atomic accesses of floats, exchanges where it is known what they expect.
fn lower_atomics(m: &mut Module, sources: &mut Sources, indirect: &mut Indirect, without: Without) {
    let written_out = ![Lever::Promotion, Lever::Inlining].iter().any(|lever| without.has(*lever));
    if written_out && sources.values().any(|func| atomics::exchanges(func) || atomics::adds_to_float(m, func)) {
        inline::write_out_exchanges(m, sources, indirect);
    }
    atomics::lower(m, sources);
}

/// The functions that a call reaches, and what is known of them.
pub(crate) fn analysed(
    m: &mut Module,
    primal: FuncId,
    activities: &[Activity],
    (style, apart): (Style, Calls),
    without: Without,
) -> Result<Analysed, Diagnostic> {
    let mut sources = collect::collect(m, primal)?;
    let (mut indirect, mut copies) = (Indirect::default(), Copies::default());
    lower_atomics(m, &mut sources, &mut indirect, without);
    outline::apply(m, &mut sources)?;
    let mut simplify = |m: &mut Module, sources: &mut Sources, indirect: &mut Indirect| -> Result<(), Diagnostic> {
        variadic::specialise(m, sources, primal, &mut copies);
        if matches!(apart, Calls::FewWrittenOut | Calls::AsTheyAre) {
            while {
                if !without.has(Lever::Promotion) {
                    inline::promote_slots(m, sources, indirect);
                }
                if apart == Calls::FewWrittenOut && ![Lever::Promotion, Lever::Inlining].iter().any(|l| without.has(*l))
                {
                    inline::write_out_few(m, sources, indirect);
                    inline::retain_reached(m, sources, primal);
                }
                // A pointer that is no variable any more may turn out to be that of a function.
                collect::collect_called(m, sources)?
            } {
                variadic::specialise(m, sources, primal, &mut copies);
            }
            return Ok(());
        }
        // A pointer that is no variable any more may turn out to be that of a function.
        while {
            inline::simplify(m, sources, indirect);
            collect::collect_called(m, sources)?
        } {
            variadic::specialise(m, sources, primal, &mut copies);
        }
        inline::retain_reached(m, sources, primal);
        if apart == Calls::Apart {
            clone_contexts::separate(m, sources, primal, indirect, &mut copies);
        }
        Ok(())
    };
    simplify(m, &mut sources, &mut indirect)?;
    let simplify_new = |m: &mut Module, sources: &mut Sources, indirect: &mut Indirect, new: &BTreeSet<FuncId>| {
        let small = apart != Calls::AsTheyAre && !without.has(Lever::Inlining);
        match (without.has(Lever::Promotion), small) {
            (true, _) => {}
            (false, true) => inline::simplify_some(m, sources, indirect, new),
            (false, false) => inline::promote_slots_of(m, sources, indirect, |id| new.contains(&id)),
        }
    };
    if indirect_calls::resolve(m, &mut sources, (primal, activities), &mut indirect, simplify_new)? {
        simplify(m, &mut sources, &mut indirect)?;
    }
    collect::refuse_missing(m, &sources)?;
    // Also in what has been found since.
    lower_atomics(m, &mut sources, &mut indirect, without);
    let analyse = |m: &Module, sources: &Sources| {
        Facts::analyse_with(m, sources, primal, activities, &indirect, style.runtime_activity)
    };
    let mut facts = analyse(m, &sources)?;
    let mut coded = true;
    // What one round makes a float, the next may find used as one.
    while signs::rewrite(m, &mut sources, &facts)
        | masks::rewrite(m, &mut sources, &facts)
        | exponents::rewrite(m, &mut sources, &facts)
        || std::mem::take(&mut coded) && codes::rewrite(m, &mut sources, &facts, primal)
    {
        facts = analyse(m, &sources)?;
    }
    facts.validate(m, &sources, apart == Calls::Apart)?;
    shadows::check(m, &sources, &facts)?;
    taint::check(m, &sources, &facts, primal)?;
    let remade = taint::addresses::check(m, &sources, &facts)?;
    let mut analyses = Analyses::from(facts);
    analyses.remade = remade;
    Ok(Analysed { sources, facts: analyses, copies, indirect })
}
