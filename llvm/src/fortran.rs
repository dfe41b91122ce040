//! flang's run-time library, for programs in Fortran of which it is elsewhere.
//!
//! A module that only declares functions of it gets bodies (`library/fortran.c`) for those that reduce, multiply and
//! assign arrays, print lists, and begin and end programs: *available externally* (LangRef, "Linkage Types"), so that
//! native code still calls flang's library. What prints, or begins and ends a program, carries no derivative. Other
//! functions of the library have no body, and are refused where they matter.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::sync::{LazyLock, OnceLock};
use std::time::Duration;

use ir::{InstId, Module, Type};

use crate::error::Error;
use crate::find;
use crate::text::{self, TIME_LIMIT, function_of};
use crate::tool::{Tool, argument};

const SOURCE: &str = include_str!("../library/fortran.c");

/// How the names of the library begin.
const PREFIX: &str = "_Fortran";

/// Beginnings of names of functions that carry no derivative.
const INACTIVE: [&str; 4] = ["_FortranAio", "_FortranAProgram", "_FortranAStop", MOVE];

/// What a program that reads has: a number that it has written may come back as text, so that what writes is not
/// inactive there, and has no body.
const READ_BACK: [&str; 2] = ["@_FortranAioInput", "@_FortranAioBeginInternal"];

/// The function that moves what is no number. It belongs to each module that has it.
const MOVE: &str = "adj_move";

/// The functions with a body: the names in the source, and those that its macros define.
static NAMES: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| {
    let words = SOURCE.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    words.filter(|word| word.starts_with(PREFIX)).collect()
});

/// The text with bodies for the functions that it declares; `None` if it declares none that has one.
pub(crate) fn with_runtime(file: &str, text: &str, timeout: Duration) -> Result<Option<String>, Error> {
    let declares =
        |line: &str| line.starts_with("declare ") && function_of(line).is_some_and(|name| NAMES.contains(name));
    if !text.contains(PREFIX) || !text.lines().any(declares) || READ_BACK.iter().any(|sign| text.contains(sign)) {
        return Ok(None);
    }
    let io_error = |source| Error::Io { file: file.to_owned(), action: "complete", source };
    let folder = tempfile::tempdir().map_err(io_error)?;
    let [program, bodies] = ["program.ll", "fortran.ll"].map(|name| folder.path().join(name));
    fs::write(&program, text).map_err(io_error)?;
    fs::write(&bodies, library()?).map_err(io_error)?;
    let linker = find::tool("llvm-link")?;
    let link = Tool { name: "llvm-link", program: &linker, file, timeout, scratch: Some(folder.path()) };
    let mut arguments: Vec<OsString> = ["-S", "--only-needed", "-suppress-warnings"].map(OsString::from).to_vec();
    arguments.extend([argument(&program), argument(&bodies)]);
    let printed = link.run(arguments, &[])?;
    if !printed.success {
        return Err(Error::Invalid { file: file.to_owned(), message: printed.messages });
    }
    let linked = available(&text::into_text(file, printed)?.text);
    Ok(Some(text::canonical(&find::toolchain()?, file, linked.as_bytes(), timeout)?.text))
}

/// flang declares subroutines of its library to return a structure without members: nothing, that is, which C calls
/// `void`.
pub(crate) fn without_empty_results(mut m: Module) -> Module {
    let void = m.types.void();
    let is_empty = |m: &Module, ty| m.types.fields(ty).is_some_and(|(fields, _)| fields.is_empty());
    for id in m.functions.keys().collect::<Vec<_>>() {
        if m.functions[id].name.starts_with(PREFIX) && is_empty(&m, m.functions[id].ret) {
            m.functions[id].ret = void;
        }
        let func = &m.functions[id];
        let of_library =
            |call: &ir::Call| m.as_function(call.callee).is_some_and(|f| m.functions[f].name.starts_with(PREFIX));
        let calls: Vec<InstId> = func
            .inst_order()
            .map(|(_, inst)| inst)
            .filter(|inst| {
                is_empty(&m, func.insts[*inst].ty) && func.insts[*inst].kind.as_call().is_some_and(of_library)
            })
            .filter(|inst| func.insts[*inst].result.is_none_or(|value| !func.is_used(value)))
            .collect();
        for inst in calls {
            let Some(call) = m.functions[id].insts[inst].kind.as_call() else { continue };
            let Type::Func { params, vararg, .. } = m.types.get(call.fn_ty).clone() else { continue };
            let fn_ty = m.types.intern(Type::Func { ret: void, params, vararg });
            let data = &mut m.functions[id].insts[inst];
            (data.ty, data.result) = (void, None);
            if let Some(call) = data.kind.as_call_mut() {
                call.fn_ty = fn_ty;
            }
        }
    }
    m
}

/// The bodies as IR, compiled once.
fn library() -> Result<String, Error> {
    static LIBRARY: OnceLock<String> = OnceLock::new();
    if let Some(text) = LIBRARY.get() {
        return Ok(text.clone());
    }
    let source = format!("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n{SOURCE}");
    let tools = find::toolchain()?;
    let clang = Tool { name: "clang", program: &tools.clang, file: "library", timeout: TIME_LIMIT, scratch: None };
    let options = ["-x", "c", "-O1", "-fno-math-errno", "-fno-vectorize", "-fno-unroll-loops", "-S", "-emit-llvm"];
    let to = ["-fno-discard-value-names", "-o", "-", "-"];
    let printed = clang.run(options.into_iter().chain(to).map(Into::into).collect(), source.as_bytes())?;
    if !printed.success {
        return Err(Error::Compile { file: "library".to_owned(), diagnostics: printed.messages });
    }
    let text = text::into_text("library", printed)?.text;
    Ok(LIBRARY.get_or_init(|| text).clone())
}

/// The text with the library's definitions available externally and never inlined.
fn available(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let body = line.strip_prefix("define ").and_then(|rest| Some((rest, function_of(line)?)));
        match body.filter(|(_, name)| NAMES.contains(name) || *name == MOVE) {
            Some((rest, name)) => {
                let linkage = if name == MOVE { "internal" } else { "available_externally" };
                let is_inactive = INACTIVE.iter().any(|start| name.starts_with(start));
                let inactive = if is_inactive { " \"enzyme_inactive\"" } else { "" };
                out.push_str(&text::redefined(rest, linkage, inactive));
            }
            None => out.push_str(line),
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_that_is_declared_only_gets_its_body() {
        let text = "declare double @_FortranASumReal8(ptr, ptr, i32, i32, ptr)\ndeclare void @_FortranAElsewhere()\n\
                    define double @f(ptr %a) {\n  %s = call double @_FortranASumReal8(ptr %a, ptr null, i32 0, i32 0, \
                    ptr null)\n  call void @_FortranAElsewhere()\n  ret double %s\n}\n";
        let with = with_runtime("test", text, TIME_LIMIT).expect("valid IR").expect("a body");
        let bodies = with.lines().filter(|line| line.starts_with("define available_externally "));
        assert_eq!(bodies.filter_map(function_of).collect::<Vec<_>>(), ["_FortranASumReal8"]);
        assert!(with.contains("declare void @_FortranAElsewhere()"));
        assert_eq!(with_runtime("test", "declare void @_FortranAElsewhere()\n", TIME_LIMIT).expect("IR"), None);
    }
}
