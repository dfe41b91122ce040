//! Optimisation that keeps its hands off the functions of which the program tells something ([`ir::hint`]), and off
//! numbers that are compared for equality ([`crate::compared`]).
//!
//! A function with a rule of its own must still be called when the module is differentiated, whatever the level: were
//! it inlined, its rule would not be seen, and were its body looked into, a call of an identity with a rule would be
//! replaced by its argument. `noinline` prevents the first only. A function of linkage `weak` may be replaced by
//! another when the program is linked (LangRef, "Linkage Types"), so that no pass may conclude anything from its body;
//! it is itself optimised like any other. So the functions are `weak` while the passes run.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::error::Error;
use crate::{compared, pipeline, read};

/// Does optimised text tell something of its functions, or compare numbers for equality, so that it has to be optimised
/// once more by [`run_on`]? May say yes where it does not.
pub(crate) fn is_needed(text: &str) -> bool {
    is_hinted(text) || compared::is_in(text)
}

/// The same of text that has not been optimised.
pub(crate) fn may_be_needed(text: &str) -> bool {
    is_hinted(text) || compared::may_be_in(text)
}

fn is_hinted(text: &str) -> bool {
    let marks = [format!("\"{}", ir::hint::PREFIX), format!("!{}", ir::hint::PREFIX)];
    ir::hint::REGISTRATIONS.into_iter().chain(marks.iter().map(String::as_str)).any(|mark| text.contains(mark))
}

/// Runs passes over the text.
pub(crate) fn run_on(file: &str, text: &str, passes: &str, timeout: Duration) -> Result<String, Error> {
    let mut module = read::parse(text, file)?;
    let mut linkages = BTreeMap::new();
    for id in module.hinted_functions() {
        let function = &mut module.functions[id];
        function.attrs.0.retain(|a| a.name != "alwaysinline" && a.name != "noinline");
        function.attrs = std::mem::take(&mut function.attrs).flag("noinline");
        // What is only declared, or may be dropped, has no body that anything could be concluded from.
        if !function.is_declaration() && function.flags.linkage != "available_externally" {
            let linkage = std::mem::replace(&mut function.flags.linkage, "weak".to_owned());
            linkages.insert(function.name.clone(), linkage);
        }
    }
    let fenced = compared::fence(&mut module);
    let text = pipeline::run_on(file, &module.to_string(), passes, timeout)?;
    let mut module = read::parse(&text, file)?;
    if fenced {
        compared::unfence(&mut module);
    }
    for function in module.functions.values_mut() {
        if let Some(linkage) = linkages.remove(&function.name) {
            function.flags.linkage = linkage;
        }
    }
    Ok(module.to_string())
}
