//! Bodies for routines of BLAS, LAPACK and `<complex.h>` that a program calls without having them, and the passes of
//! loops with checkpoints.
//!
//! Such a routine can be interpreted and differentiated like any other function if it has a body, so it gets one:
//! `library/`, written from the routines' definitions. The body is *available externally* (LangRef, "Linkage Types": it
//! "exists to allow inlining and other optimizations to take place given knowledge of the definition of the global,
//! which is known to be somewhere outside the module"): native code still calls the library that the program is linked
//! with. It is never inlined, for the same reason.

use std::fs;
use std::sync::OnceLock;
use std::time::Duration;

use crate::error::Error;
use crate::find;
use crate::fortran;
use crate::rust;
use crate::text::Compiled;
use crate::text::{self, TIME_LIMIT, function_of};
use crate::tool::Tool;
use crate::tool::argument;

/// The routines, without their letter for the format; with whether CBLAS has them.
const ROUTINES: [(&str, bool); 29] = [
    ("scal", true),
    ("axpy", true),
    ("dot", true),
    ("nrm2", true),
    ("asum", true),
    ("copy", true),
    ("swap", true),
    ("rot", true),
    ("gemv", true),
    ("ger", true),
    ("symv", true),
    ("spmv", true),
    ("syr", true),
    ("spr", true),
    ("syr2", true),
    ("spr2", true),
    ("trmv", true),
    ("trsv", true),
    ("gemm", true),
    ("symm", true),
    ("syrk", true),
    ("syr2k", true),
    ("trmm", true),
    ("trsm", true),
    ("lacpy", false),
    ("lascl", false),
    ("potrf", false),
    ("potrs", false),
    ("trtrs", false),
];

/// The formats: the letter in a routine's name, the type, and the compiler's names of its square root and modulus.
const FORMATS: [(&str, &str, &str, &str); 2] =
    [("d", "double", "__builtin_sqrt", "__builtin_fabs"), ("s", "float", "__builtin_sqrtf", "__builtin_fabsf")];

/// The functions of `<complex.h>`, without the letter of their format.
const COMPLEX: [&str; 22] = [
    "cabs", "carg", "creal", "cimag", "conj", "cproj", "cexp", "clog", "csqrt", "cpow", "csin", "ccos", "ctan",
    "csinh", "ccosh", "ctanh", "casin", "cacos", "catan", "casinh", "cacosh", "catanh",
];

/// Their formats: the letter, the real type.
const COMPLEX_FORMATS: [(&str, &str); 3] = [("", "double"), ("f", "float"), ("l", "long double")];

/// Those that the table of rules has already.
const IN_TABLE: [&str; 2] = ["cabs", "carg"];

/// Has a name a body here?
pub fn has_body(name: &str) -> bool {
    library_of(name).is_some()
}

/// The library in which a linker finds a routine.
fn library_of(name: &str) -> Option<&'static str> {
    if is_complex(name) {
        return Some("m");
    }
    let cblas = name.strip_prefix("cblas_");
    let stem = match cblas {
        Some(stem) => stem,
        None => name.strip_suffix('_')?,
    };
    if matches!(stem, "idamax" | "isamax") {
        return Some("blas");
    }
    let stem = stem.strip_prefix(['d', 's'])?;
    let (_, in_cblas) = ROUTINES.iter().find(|(routine, _)| *routine == stem)?;
    match (in_cblas, cblas) {
        (true, _) => Some("blas"),
        (false, None) => Some("lapack"),
        (false, Some(_)) => None,
    }
}

fn is_complex(name: &str) -> bool {
    let of_format = |(letter, _): &(&str, &str)| name.strip_suffix(letter).is_some_and(|n| COMPLEX.contains(&n));
    !IN_TABLE.contains(&name) && COMPLEX_FORMATS.iter().any(of_format)
}

/// The libraries that a module's routines are in, as a linker wants them: those that need others first.
pub(crate) fn libraries(text: &str) -> Vec<&'static str> {
    let known = named(text, "declare ").chain(named(text, "define available_externally "));
    let mut found: Vec<&str> = known.filter_map(library_of).collect();
    if found.contains(&"lapack") {
        found.push("blas");
    }
    ["lapack", "blas", "m"].into_iter().filter(|library| found.contains(library)).collect()
}

/// The function that the header defines to execute a loop with checkpoints.
const CHECKPOINTS: &str = "@__enzyme_checkpoint_for(";

/// The passes of its gradient (`library/checkpoint.c`). Nothing in the program speaks of them yet, and a linker drops
/// what nothing speaks of.
const PASSES: &str = "
@__adj_checkpoint_passes = weak_odr hidden constant [2 x ptr] [ptr @__adj_checkpoint_forward, ptr \
@__adj_checkpoint_reverse]
declare ptr @__adj_checkpoint_forward(ptr, i64, i64, i32, i64, ptr, i64, ptr, i64)
declare void @__adj_checkpoint_reverse(ptr, ptr, i64, ptr, ptr, i64, ptr, ptr, i64, ptr)
";

/// What the names of the variables start with that mark loops from outside (`ad::program::loop_marks`).
const MARK: &str = "@__enzyme_checkpoint_loop";

/// What the gradients of such loops call (`library/undo.c`).
const UNDO: &str = "
@__adj_undo_functions = weak_odr hidden constant [8 x ptr] [ptr @__adj_undo_forward, ptr @__adj_undo_reverse, ptr \
@__adj_undo_save, \
ptr @__adj_undo_save_pointers, ptr @__adj_undo_allocated, ptr @__adj_undo_frees, ptr @__adj_undo_retire, ptr \
@__adj_undo_free]
declare i32 @__adj_undo_forward(ptr, ptr, ptr, ptr, ptr, i64, i64, ptr)
declare void @__adj_undo_reverse(ptr)
declare void @__adj_undo_save(ptr, ptr, i64)
declare void @__adj_undo_save_pointers(ptr, ptr, i64, i64)
declare void @__adj_undo_allocated(ptr, ptr, i64)
declare i32 @__adj_undo_frees(ptr, ptr)
declare void @__adj_undo_retire(ptr, ptr)
declare void @__adj_undo_free(ptr)
";

/// The text with a mark for each loop that is named from outside.
pub(crate) fn mark(text: &mut String, loops: &[String]) {
    for (n, marked) in loops.iter().enumerate() {
        let bytes: String = marked.bytes().map(|b| format!("\\{b:02X}")).collect();
        let line = format!("\n{MARK}_{n} = weak_odr hidden constant [{} x i8] c\"{bytes}\"\n", marked.len());
        text.push_str(&line);
    }
}

/// What derivatives of routines call besides routines (`rules::blas`), without the letter of the format.
const KERNELS: [&str; 24] = [
    "vescal", "vecopy", "vetake", "sigadd", "sigdot", "gescal", "gecopy", "geadd", "gedot", "trscal", "tradd", "trdot",
    "trabs", "trhalf", "mirror", "tzscal", "tzadd", "tzdot", "diadd", "dimul", "dpadd", "dpmul", "dgadd", "didot",
];

/// What the names of kernels start with.
const KERNEL: &str = "__adj_";

/// The variable through which a module speaks of what the derivatives of its routines may call; gone when that is
/// linked.
const FAMILY: &str = "@__adj_blas_family";

/// The routines and kernels that the derivatives of a module's routines may call, those of the same format and
/// spelling, and that it has not. What derivatives call of LAPACK is what the module calls of it.
fn family(text: &str) -> Vec<String> {
    let known: Vec<&str> = named(text, "declare ").chain(named(text, "define ")).collect();
    let mut out = Vec::new();
    for (letter, ..) in FORMATS {
        let spellings = [("cblas_", ""), ("", "_")];
        for (start, end) in spellings {
            let spelled = |(name, _): &(&str, bool)| format!("{start}{letter}{name}{end}");
            let has = named(text, "declare ").any(|name| ROUTINES.iter().any(|r| spelled(r) == name));
            if has {
                out.extend(ROUTINES.iter().filter(|(_, blas)| *blas).map(spelled));
                out.extend(KERNELS.map(|name| format!("{KERNEL}{letter}{name}")));
            }
        }
    }
    out.retain(|name| !known.contains(&name.as_str()));
    out.sort();
    out.dedup();
    out
}

/// Gives the routines that a module only declares their bodies.
pub(crate) fn complete(file: &str, mut compiled: Compiled, timeout: Duration) -> Result<Compiled, Error> {
    if let Some(text) = rust::with_allocator(&compiled.text) {
        compiled.text = text::canonical(&find::toolchain()?, file, text.as_bytes(), timeout)?.text;
    }
    if let Some(text) = fortran::with_runtime(file, &compiled.text, timeout)? {
        compiled.text = text;
    }
    let has_loops = compiled.text.contains(CHECKPOINTS) && !compiled.text.contains("@__adj_checkpoint_");
    let has_marks = compiled.text.contains(MARK) && !compiled.text.contains("@__adj_undo_");
    if !has_loops && !has_marks && !named(&compiled.text, "declare ").any(has_body) {
        return Ok(compiled);
    }
    if has_loops {
        compiled.text.push_str(PASSES);
    }
    if has_marks {
        compiled.text.push_str(UNDO);
    }
    let family = family(&compiled.text);
    if !family.is_empty() {
        let members: Vec<String> = family.iter().map(|name| format!("ptr @{name}")).collect();
        let (count, members) = (members.len(), members.join(", "));
        compiled.text.push_str(&format!("\n{FAMILY} = weak_odr hidden constant [{count} x ptr] [{members}]\n"));
        compiled.text.extend(family.iter().map(|name| format!("declare void @{name}()\n")));
    }
    let tools = find::toolchain()?;
    let io_error = |source| Error::Io { file: file.to_owned(), action: "complete", source };
    let folder = tempfile::tempdir().map_err(io_error)?;
    let [program, bodies] = ["program.ll", "bodies.ll"].map(|name| folder.path().join(name));
    fs::write(&program, &compiled.text).map_err(io_error)?;
    fs::write(&bodies, library()?).map_err(io_error)?;
    let linker = find::tool("llvm-link")?;
    let link = Tool { name: "llvm-link", program: &linker, file, timeout, scratch: None };
    let arguments = vec!["-S".into(), "--only-needed".into(), argument(&program), argument(&bodies)];
    let printed = link.run(arguments, &[])?;
    if !printed.success {
        return Err(Error::Invalid { file: file.to_owned(), message: printed.messages });
    }
    let linked = available(&text::into_text(file, printed)?.text);
    let text = text::canonical(&tools, file, linked.as_bytes(), timeout)?.text;
    Ok(Compiled { text, ..compiled })
}

/// The bodies as IR, compiled once: without vectors or unrolled loops, which make a derivative no better.
fn library() -> Result<String, Error> {
    static LIBRARY: OnceLock<String> = OnceLock::new();
    if let Some(text) = LIBRARY.get() {
        return Ok(text.clone());
    }
    let source = source();
    let tools = find::toolchain()?;
    let clang = Tool { name: "clang", program: &tools.clang, file: "library", timeout: TIME_LIMIT, scratch: None };
    let options = [
        "-x",
        "c",
        "-O1",
        "-fno-math-errno",
        "-fcx-limited-range",
        "-fno-vectorize",
        "-fno-unroll-loops",
        "-fno-discard-value-names",
    ];
    let to = ["-S", "-emit-llvm", "-o", "-", "-"];
    let printed = clang.run(options.into_iter().chain(to).map(Into::into).collect(), source.as_bytes())?;
    if !printed.success {
        return Err(Error::Compile { file: "library".to_owned(), diagnostics: printed.messages });
    }
    let text = text::into_text("library", printed)?.text;
    Ok(LIBRARY.get_or_init(|| text).clone())
}

/// The source of all bodies, each format after the other.
fn source() -> String {
    let mut out = "#include <complex.h>\n#include <math.h>\n#undef I\n".to_owned();
    for (letter, real, sqrt, fabs) in FORMATS {
        let names = [
            ("REAL", real.to_owned()),
            ("K(name)", format!("adj_{letter}##name")),
            ("C(name)", format!("cblas_{letter}##name")),
            ("CI(name)", format!("cblas_i{letter}##name")),
            ("F(name)", format!("{letter}##name##_")),
            ("FI(name)", format!("i{letter}##name##_")),
            ("D(name)", format!("{KERNEL}{letter}##name")),
            ("SQRT", sqrt.to_owned()),
            ("FABS", fabs.to_owned()),
        ];
        with(&names, include_str!("../library/blas.c"), &mut out);
    }
    for (letter, real) in COMPLEX_FORMATS {
        let mut names = vec![
            ("R", real.to_owned()),
            ("Z", format!("{real} _Complex")),
            ("N(name)", if letter.is_empty() { "name".to_owned() } else { format!("name##{letter}") }),
            ("K(name)", format!("adj_complex_{letter}##name")),
        ];
        if letter.is_empty() {
            names.push(("IN_TABLE", String::new()));
        }
        with(&names, include_str!("../library/complex.c"), &mut out);
    }
    out.push_str(include_str!("../library/checkpoint.c"));
    out.push_str(include_str!("../library/undo.c"));
    out
}

/// A text between the definitions of its macros and their end.
fn with(names: &[(&str, String)], text: &str, out: &mut String) {
    for (name, meaning) in names {
        out.push_str(&format!("#define {name} {meaning}\n"));
    }
    out.push_str(text);
    for (name, _) in names {
        out.push_str(&format!("#undef {}\n", name.split('(').next().unwrap_or(name)));
    }
}

/// The text with the routines' definitions available externally and never inlined; a routine of BLAS says of itself
/// which it is. Kernels belong to each module that has them.
fn available(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines().filter(|line| !line.starts_with(FAMILY)) {
        if let Some(rest) = line.strip_prefix("define ").filter(|_| function_of(line).is_some_and(is_kernel)) {
            let rest = rest.strip_prefix("dso_local ").unwrap_or(rest);
            out.push_str(&format!("define internal {rest}\n"));
            continue;
        }
        match line.strip_prefix("define ").filter(|_| function_of(line).is_some_and(has_body)) {
            Some(rest) => {
                let name = function_of(line).filter(|name| matches!(library_of(name), Some("blas" | "lapack")));
                let name = name.map_or(String::new(), |name| format!(" \"adj_blas\"=\"{name}\""));
                out.push_str(&text::redefined(rest, "available_externally", &name));
            }
            None => out.push_str(line),
        }
        out.push('\n');
    }
    out
}

/// Is it the name of a kernel?
fn is_kernel(name: &str) -> bool {
    let kernel = name.strip_prefix(KERNEL).and_then(|rest| rest.strip_prefix(['d', 's']));
    kernel.is_some_and(|kernel| KERNELS.contains(&kernel))
}

/// The names of the functions on the lines that start so.
fn named<'a>(text: &'a str, start: &'static str) -> impl Iterator<Item = &'a str> {
    text.lines().filter(move |line| line.starts_with(start)).filter_map(function_of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_table_names_exactly_what_the_source_defines() {
        let text = library().unwrap();
        let lines = text.lines().filter(|line| line.starts_with("define ") && !line.contains(" internal "));
        let bodies: BTreeSet<&str> = lines.filter_map(function_of).filter(|name| !name.starts_with("__adj_")).collect();
        let missing: Vec<&&str> = bodies.iter().filter(|name| !has_body(name)).collect();
        assert!(missing.is_empty(), "{missing:?}");
        let cblas = ROUTINES.iter().filter(|(_, cblas)| *cblas).count();
        let complex = COMPLEX_FORMATS.len() * COMPLEX.len() - IN_TABLE.len();
        assert_eq!(bodies.len(), FORMATS.len() * (ROUTINES.len() + cblas + 2) + complex);
        for name in ["cblas_dpotrf", "daxpy", "cblas_zdot", "cabs", "cexpd", "exp", "printf", "d_", "_", ""] {
            assert!(!has_body(name), "{name}");
        }
    }

    #[test]
    fn a_body_is_for_the_analysis_and_not_for_the_linker() {
        let text = "declare double @cblas_ddot(i32, ptr, i32, ptr, i32)\n\
            define double @norm(ptr %x) {\n  %r = call double @cblas_ddot(i32 3, ptr %x, i32 1, ptr %x, i32 1)\n  \
            ret double %r\n}\n";
        let compiled = Compiled { text: text.to_owned(), diagnostics: String::new() };
        let completed = complete("norm.ll", compiled, TIME_LIMIT).unwrap().text;
        let line = completed.lines().find(|line| line.contains("@cblas_ddot(") && line.starts_with("define")).unwrap();
        assert!(line.starts_with("define available_externally double"), "{line}");
        // What its derivative calls comes with it, what a derivative of another format or spelling calls does not.
        assert!(completed.contains("define available_externally void @cblas_daxpy"), "{completed}");
        assert!(completed.contains("define internal void @__adj_dvescal"), "{completed}");
        assert!(!["@cblas_saxpy", "@daxpy_", "__adj_sve"].iter().any(|name| completed.contains(name)), "{completed}");
        assert_eq!(libraries(&completed), ["blas"]);
        assert_eq!(libraries(text), ["blas"]);
        assert!(libraries("declare void @dpotrf_(ptr)\n") == ["lapack", "blas"]);
        // A routine of LAPACK brings what its derivative calls of BLAS, and no other of LAPACK.
        let text = "declare void @dpotrf_(ptr, ptr, ptr, ptr, ptr)\n\
            define void @factor(ptr %u, ptr %n, ptr %a, ptr %i) {\n  \
            call void @dpotrf_(ptr %u, ptr %n, ptr %a, ptr %n, ptr %i)\n  ret void\n}\n";
        let compiled = Compiled { text: text.to_owned(), diagnostics: String::new() };
        let completed = complete("factor.ll", compiled, TIME_LIMIT).unwrap().text;
        assert!(completed.contains("\"adj_blas\"=\"dpotrf_\"") && completed.contains(" @dtrsm_("), "{completed}");
        assert!(!completed.contains("@dpotrs_"), "{completed}");
    }

    #[test]
    fn a_program_with_routines_of_its_own_keeps_them() {
        let text = "define double @cblas_ddot(i32 %n, ptr %x, i32 %i, ptr %y, i32 %j) {\n  ret double 1.0\n}\n";
        let compiled = Compiled { text: text.to_owned(), diagnostics: String::new() };
        assert_eq!(complete("own.ll", compiled.clone(), TIME_LIMIT).unwrap(), compiled);
    }
}
