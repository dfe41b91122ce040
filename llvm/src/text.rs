//! Text or bitcode to verified canonical text.
//!
//! Canonical means: as LLVM 19 prints it, after its own upgrades and verification, without the comments that name
//! the file and the predecessors of blocks. Two modules that LLVM takes for the same print the same.

use std::ffi::OsString;
use std::time::Duration;

use crate::error::Error;
use crate::find::{self, Toolchain};
use crate::tool::{Printed, Tool};

/// Canonical text, and what the compiler had to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiled {
    /// The IR.
    pub text: String,
    /// Warnings, as the compiler printed them; empty if there are none.
    pub diagnostics: String,
}

/// How long LLVM may take over one module unless told otherwise.
pub const TIME_LIMIT: Duration = Duration::from_secs(300);

/// Verifies IR, given as text or bitcode, and prints it canonically.
pub fn canonical_text(bytes: &[u8]) -> Result<String, Error> {
    let tools = find::toolchain()?;
    Ok(canonical(&tools, "<memory>", bytes, TIME_LIMIT)?.text)
}

/// Verifies IR given as text.
pub fn verify_text(text: &str) -> Result<(), Error> {
    canonical_text(text.as_bytes()).map(drop)
}

/// [`canonical_text`] of a named input, with LLVM's warnings.
pub(crate) fn canonical(tools: &Toolchain, file: &str, bytes: &[u8], timeout: Duration) -> Result<Compiled, Error> {
    let printed = optimise(tools, file, bytes, "verify", (&[], timeout))?;
    if !printed.success {
        return Err(Error::Invalid { file: file.to_owned(), message: printed.messages });
    }
    into_text(file, printed)
}

/// Runs `opt` with a pipeline; it verifies what it reads and what it prints.
pub(crate) fn optimise(
    tools: &Toolchain,
    file: &str,
    bytes: &[u8],
    passes: &str,
    (options, timeout): (&[&str], Duration),
) -> Result<Printed, Error> {
    let opt = Tool { name: "opt", program: &tools.opt, file, timeout, scratch: None };
    let passes = format!("-passes={passes}");
    let arguments = ["-S", &passes].into_iter().chain(options.iter().copied()).chain(["-o", "-", "-"]);
    opt.run(arguments.map(OsString::from).collect(), bytes)
}

/// The text that a tool printed.
pub(crate) fn into_text(file: &str, printed: Printed) -> Result<Compiled, Error> {
    let text = String::from_utf8(printed.stdout).map_err(|error| {
        let message = format!("its text is not UTF-8 at byte {}", error.utf8_error().valid_up_to());
        Error::Invalid { file: file.to_owned(), message }
    })?;
    Ok(Compiled { text: without_comments(&text), diagnostics: printed.messages })
}

/// The function that a line declares or defines.
pub(crate) fn function_of(line: &str) -> Option<&str> {
    let name = &line[line.find('@')? + 1..];
    Some(&name[..name.find('(')?])
}

/// The first line of a definition, behind `define`, with another linkage, never inlined, and with more attributes.
pub(crate) fn redefined(rest: &str, linkage: &str, attributes: &str) -> String {
    let rest = rest.strip_prefix("dso_local ").unwrap_or(rest);
    let body = rest.strip_suffix('{').unwrap_or(rest).trim_end();
    // Attributes stand before the attachments.
    let (head, attachments) = body.find(" !").map_or((body, ""), |at| body.split_at(at));
    format!("define {linkage} {head} noinline{attributes}{attachments} {{")
}

/// Removes the comments that depend on more than the module: the first line says which file LLVM read, and the
/// list of a block's predecessors is in the order of LLVM's use lists, which reading the text again may change.
fn without_comments(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for (number, line) in text.lines().enumerate() {
        if number == 0 && line.starts_with("; ModuleID = ") {
            continue;
        }
        result.push_str(label(line).unwrap_or(line));
        result.push('\n');
    }
    result
}

/// The label, with its colon, that a line of printed IR starts with.
fn label(line: &str) -> Option<&str> {
    let end = match line.strip_prefix('"') {
        // A quote within a name is printed as `\22`.
        Some(quoted) => quoted.find('"')? + 2,
        None => line.find(|c: char| !c.is_ascii_alphanumeric() && !"-$._".contains(c))?,
    };
    let (name, rest) = line.split_at(end);
    let comment = rest.strip_prefix(':')?.trim_start();
    (!name.is_empty() && (comment.is_empty() || comment.starts_with(';'))).then(|| &line[..=end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_lose_their_comments_and_nothing_else_does() {
        for (line, expected) in [
            ("a.b:        ; preds = %c", Some("a.b:")),
            ("12:  ; No predecessors!", Some("12:")),
            ("entry:", Some("entry:")),
            ("\"x: ; preds\":   ; preds = %y", Some("\"x: ; preds\":")),
            ("source_filename = \"a:   ; preds = %b\"", None),
            ("target triple = \"x: ; y\"", None),
            ("  %x = add i32 1, 2 ; a: ; b", None),
            ("; Function Attrs: nounwind", None),
            ("", None),
            (": ;", None),
        ] {
            assert_eq!(label(line), expected, "{line}");
        }
    }

    #[test]
    fn only_the_first_line_can_name_the_module() {
        assert_eq!(without_comments("; ModuleID = 'a'\nx\n; ModuleID = 'b'\n"), "x\n; ModuleID = 'b'\n");
        assert_eq!(without_comments(""), "");
    }
}
