//! The printed reference: the table as Markdown, from the same expressions that are evaluated and emitted.

use crate::blas::{Routine, Term};
use crate::expr::Cond;
use crate::row::{Convention, Decision, Operand, Place, Proof, Row, Value};
use crate::table::blas::KERNELS;
use crate::table::reductions::REDUCTIONS;
use crate::table::rows;
use std::fmt::Write;

const HEAD: &str = "# The table of derivative rules

Generated from the rows of `rules`; do not edit. `x0`, `x1`, … are the floating-point operands, `n0`, … the integer
ones, `y` is the result whose derivative is given. `[c ? a : b]` is `a` where `c` holds, else `b`. *Proof* says how
the partials can be shown: algebraic identity, implicit differentiation, from axioms (exp' = exp, log' = 1/x, sin' =
cos, …), or numeric comparison only. Every partial is compared with difference quotients in multi-precision. Library
names are those for `double`; the `f` and `l` spellings follow from them.

| operation | spellings | partials | source | proof |
|---|---|---|---|---|
";

/// The whole table as a Markdown page.
pub fn reference_markdown() -> String {
    let mut page = String::from(HEAD);
    // Writing to a String cannot fail.
    let _ = write_page(&mut page);
    page
}

/// One row in words: for a command that explains an operation.
pub fn describe(row: &Row) -> String {
    let mut text = format!("{}: {}\n", row.op.name(), row.source);
    let mut line = |label: &str, value: &str| {
        if !value.is_empty() {
            text += &format!("  {label:<11}{value}\n");
        }
    };
    line("spelled", &spellings(row).replace('`', ""));
    for output in &row.outputs {
        if let Some(definition) = output.value.definition() {
            line("is", &definition.to_string());
        }
    }
    for (index, partial) in partials(row).iter().enumerate() {
        line(if index == 0 { "slope" } else { "" }, partial);
    }
    for partial in (0..row.outputs.len()).flat_map(|output| row.partials(output)) {
        if partial.smooth != Cond::True {
            line("classical", &format!("by x{} where {}", partial.operand, partial.smooth));
        }
    }
    for it in &row.conventions {
        let (kind, reason) = (it.reason.kind(), it.reason.reason());
        line(kind, &format!("by x{} where {}: {} ({reason})", it.operand, it.when, decision(it.value)));
    }
    line("proof", proof(row.proof));
    text
}

const BLAS: &str = "\
Differentiated by calls of such routines, in the spelling of the primal (`cblas_d…`, `cblas_s…`, `d…_`, `s…_`; of
LAPACK the latter). A term is executed if the operand before the colon is active and the condition in brackets holds.
`X'` is the adjoint or tangent of X, `X0` and `X1` what was there before and after the call, `!t` the other value of a
flag, `#x` the length of x, `W` and `w` memory made for the term. Where LAPACK stopped (`info`), `none` refuses to go
on at run time unless what follows is zero: what a factorisation left that could not be completed has no derivative.
Kernels are code of the library.";

/// A row of BLAS in words.
pub fn describe_blas(routine: &Routine) -> String {
    let mut text = format!("{}: {}\n  {:<11}{}\n", routine.name, routine.formula, "operands", routine.params);
    for (label, terms) in [("adjoints", routine.adjoints), ("tangents", routine.tangents)] {
        for (index, term) in terms.iter().enumerate() {
            text += &format!("  {:<11}{}\n", if index == 0 { label } else { "" }, blas_term(term));
        }
    }
    text
}

fn blas_term(term: &Term) -> String {
    let when = if term.when.is_empty() { String::new() } else { format!(" [{}]", term.when) };
    let of = if term.of.is_empty() { String::new() } else { format!("{}{when}: ", term.of) };
    format!("{of}{}", term.steps.join("; "))
}

fn write_page(page: &mut String) -> std::fmt::Result {
    for row in rows() {
        let (name, spellings) = (row.op.name(), spellings(row));
        let (partials, proof) = (cell(&partials(row).join("<br>")), proof(row.proof));
        writeln!(page, "| {name} | {spellings} | {partials} | {} | {proof} |", cell(row.source))?;
    }
    writeln!(page, "\n## Vector reductions\n\nDifferentiated as a chain of the binary operation.\n")?;
    writeln!(page, "| intrinsic | operation |\n|---|---|")?;
    for reduction in REDUCTIONS {
        writeln!(page, "| `{}` | {} |", reduction.intrinsic, reduction.op.name())?;
    }
    writeln!(page, "\n## BLAS and LAPACK\n\n{BLAS}\n")?;
    writeln!(page, "| routine | adjoints, in this order | tangents, in this order |\n|---|---|---|")?;
    for routine in crate::blas::rows() {
        let [adjoints, tangents] = [routine.adjoints, routine.tangents]
            .map(|t| cell(&t.iter().map(blas_term).collect::<Vec<_>>().join("<br>")));
        let (name, formula, params) = (routine.name, cell(routine.formula), cell(routine.params));
        writeln!(page, "| {name}: {formula}<br>({params}) | {adjoints} | {tangents} |")?;
    }
    writeln!(page, "\n| kernel | |\n|---|---|")?;
    for kernel in KERNELS {
        writeln!(page, "| {}({}) | {} |", kernel.name, cell(kernel.params), cell(kernel.formula))?;
    }
    writeln!(page, "\n## Conventions\n\nWhat a partial is where the classical derivative does not exist.\n")?;
    writeln!(page, "| operation | by | where | kind | value | reason |\n|---|---|---|---|---|---|")?;
    for row in rows() {
        for convention in &row.conventions {
            writeln!(page, "{}", convention_line(row, convention))?;
        }
    }
    Ok(())
}

fn convention_line(row: &Row, convention: &Convention) -> String {
    let value = decision(convention.value);
    let output = if row.outputs.len() > 1 { format!(" (output {})", convention.output) } else { String::new() };
    let place = cell(&convention.when.to_string());
    let kind = convention.reason.kind();
    format!(
        "| {}{output} | x{} | {place} | {kind} | {value} | {} |",
        row.op.name(),
        convention.operand,
        convention.reason.reason()
    )
}

fn decision(value: Decision) -> String {
    match value {
        Decision::Number(value) => value.to_string(),
        Decision::Formula => "the formula".into(),
        Decision::NotFinite => "not finite".into(),
    }
}

fn spellings(row: &Row) -> String {
    let symbols = &row.symbols;
    let instructions = symbols.opcodes.iter().map(|name| format!("`{name}`"));
    let intrinsics = symbols.intrinsics.iter().map(|name| format!("`{name}`"));
    let library = symbols.library.iter().copied().chain(symbols.irregular.iter().map(|(name, _)| *name));
    let library = library.map(|name| format!("`{}`", name.replace('*', "")));
    instructions.chain(intrinsics).chain(library).collect::<Vec<_>>().join(" ")
}

fn partials(row: &Row) -> Vec<String> {
    let mut lines = Vec::new();
    for (index, output) in row.outputs.iter().enumerate() {
        let name = match output.place {
            Place::Return => "∂y".into(),
            Place::Field(field) => format!("∂field {field}"),
            Place::Pointer(position) => format!("∂*operand {position}"),
        };
        match &output.value {
            Value::Integer => lines.push(format!("{name}: integer")),
            Value::Float { .. } => {
                lines.extend(row.partials(index).iter().map(|it| format!("{name}/∂x{} = {}", it.operand, it.expr)));
            }
        }
    }
    let floats = row.operands.iter().filter(|operand| operand.is_float()).enumerate();
    for (i, operand) in floats {
        match operand {
            Operand::Inactive(reason) | Operand::InactiveOf(_, reason) => {
                lines.push(format!("x{i} inactive: {reason}"))
            }
            Operand::Active | Operand::Integer | Operand::FloatOut | Operand::IntOut | Operand::Text => {}
        }
    }
    lines
}

fn proof(proof: Proof) -> &'static str {
    match proof {
        Proof::Algebraic => "algebraic",
        Proof::Implicit => "implicit",
        Proof::FromAxioms => "from axioms",
        Proof::NumericOnly => "numeric only",
        Proof::Nothing => "-",
    }
}

/// Text that is safe inside a Markdown table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('*', "\\*")
}
