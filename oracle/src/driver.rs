//! `adj cc`, `c++` and `fc`: the command lines of clang and flang, with gradients in what they make.
//!
//! What runs when is the business of [`llvm::driver`]; here differentiation is put in, and what it refuses is told as a
//! compiler tells of an error: `file:line:column: error: …`, and a note with the path of calls from the differentiated
//! function to the place.

use crate::error::Error;
use crate::header::IncludeDir;
use ir::{FuncId, Module};
use llvm::driver::{Carrier, Invocation, Refused};
pub use llvm::driver::{Compiler, Outcome, Pipeline};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

/// What is chosen beside the compiler's command line.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Whose command line it is.
    pub compiler: Compiler,
    /// When to differentiate.
    pub pipeline: Pipeline,
    /// Names of loops that are reversed from snapshots.
    pub checkpoints: Vec<String>,
    /// What to go without.
    pub without: ad::Without,
    /// What each call asks for.
    pub everywhere: ad::Everywhere,
    /// A program judges its gradients when it is run: by which command, and how many executions of each call
    /// ([`crate::carried`]).
    pub verify: Option<(PathBuf, u64)>,
}

/// Runs a compiler's command line.
pub fn run(settings: Settings, arguments: Vec<OsString>) -> Result<Outcome, Error> {
    let Settings { compiler, pipeline, checkpoints, without, everywhere, verify } = settings;
    let options = ad::Options { without, everywhere, ..ad::Options::default() };
    let include = IncludeDir::new().map_err(|source| Error::Io { action: "write `adj.h`".to_owned(), source })?;
    let invocation = Invocation {
        compiler,
        pipeline,
        include: include.path().to_owned(),
        checkpoints,
        always: false,
        packing: !without.has(ad::Lever::Packing),
        carrier: verify.map(|(command, first)| Carrier { command, told: crate::carried::told(first, without) }),
        arguments,
    };
    Ok(llvm::driver::run(&invocation, &mut |module| differentiate(module, &options))?)
}

/// Replaces the differentiated calls of a module that becomes native code.
pub(crate) fn differentiate(module: Module, options: &ad::Options) -> Result<Module, Refused> {
    differentiate_and(module, options, &mut |_| Ok(()))
}

/// The same, and adds more derivatives.
pub(crate) fn differentiate_and(
    module: Module,
    options: &ad::Options,
    add: &mut dyn FnMut(&mut Module) -> Result<(), Refused>,
) -> Result<Module, Refused> {
    let without = options.without;
    let mut output = ad::differentiate(module, options);
    if output.refusals.is_empty() {
        add(&mut output.module)?;
        ad::zero_guard::lower(&mut output.module);
        ad::gathered_add::install(&mut output.module);
        if !without.has(ad::Lever::TapeReuse) {
            ad::chunk_pool::install(&mut output.module);
        }
        if !without.has(ad::Lever::Errno) {
            ad::errno::install(&mut output.module);
        }
        if !without.has(ad::Lever::Inlining) {
            ad::inline_gradients::install(&mut output.module);
        }
        return Ok(output.module);
    }
    // Of a call that the optimiser has copied into several functions or ways, one word is enough.
    let mut said: Vec<String> = Vec::new();
    for refusal in &output.refusals {
        let text = told(&output.module, refusal);
        if !said.contains(&text) {
            said.push(text);
        }
    }
    let message = said.concat();
    let incomplete = output.refusals.iter().all(|r| r.diagnostic.reason == ad::Reason::Incomplete);
    Err(Refused { message, incomplete })
}

/// A refusal as a compiler tells an error.
fn told(module: &Module, refusal: &ad::Refusal) -> String {
    let diagnostic = &refusal.diagnostic;
    let place = |loc: &Option<ir::SourceLoc>| loc.as_ref().map_or("adj".to_owned(), ToString::to_string);
    let what = if diagnostic.reason == ad::Reason::Bug { "internal error: " } else { "" };
    let mut text = format!("{}: error: {what}{}", place(&diagnostic.loc), diagnostic.message);
    if diagnostic.loc.is_none()
        && let Some(inst) = &diagnostic.instruction
    {
        text += &format!(" (at `{}`)", inst.trim());
    }
    let caller = &module.functions[refusal.caller];
    let site = module.source_loc(caller, refusal.site);
    let path = path(module, refusal).iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" -> ");
    let callee = caller.insts[refusal.site].kind.as_call().and_then(|call| module.as_function(call.callee));
    let asks = callee.is_some_and(|f| ad::is_entry_point(&module.functions[f].name));
    match path.is_empty() {
        // A name that is not known: there is no differentiated call.
        true if !asks => text += &format!("\n{}: note: in `{}`\n", place(&site), caller.name),
        true => text += &format!("\n{}: note: in the differentiated call in `{}`\n", place(&site), caller.name),
        false => {
            let call = format!("reached from the differentiated call in `{}`", caller.name);
            text += &format!("\n{}: note: {call}: {path}\n", place(&site));
        }
    }
    text
}

/// The functions from the differentiated one to that of the refusal, by a shortest path of mentions.
fn path(module: &Module, refusal: &ad::Refusal) -> Vec<String> {
    let mentioned = |id: FuncId, inst| {
        let operands = module.functions[id].insts[inst].kind.operands();
        operands.into_iter().filter_map(|o| module.as_function(o)).collect::<Vec<FuncId>>()
    };
    let starts = mentioned(refusal.caller, refusal.site).into_iter().filter(|f| !module.functions[*f].is_declaration());
    let mut from: BTreeMap<FuncId, Option<FuncId>> = starts.map(|f| (f, None)).collect();
    let mut work: Vec<FuncId> = from.keys().copied().collect();
    let mut next = 0;
    while let Some(id) = work.get(next).copied() {
        next += 1;
        if module.functions[id].name == refusal.diagnostic.function {
            let mut names = vec![module.functions[id].name.clone()];
            let mut at = id;
            while let Some(Some(before)) = from.get(&at) {
                names.push(module.functions[*before].name.clone());
                at = *before;
            }
            names.reverse();
            return names;
        }
        for (_, inst) in module.functions[id].inst_order() {
            for callee in mentioned(id, inst) {
                if let std::collections::btree_map::Entry::Vacant(entry) = from.entry(callee) {
                    entry.insert(Some(id));
                    work.push(callee);
                }
            }
        }
    }
    Vec::new()
}
