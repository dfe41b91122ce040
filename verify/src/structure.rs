//! Rules that have no row: what memory and control flow do to adjoints.
//!
//! Each rule is a family of small functions over bounded memory: `f` of two blocks of a few cells, in IR. They go
//! through the synthesis as any program does, and the gradients that come out are proved ([`crate::gradient`]) for all
//! values in the cells: the transfer of shadows is the transpose of what the function does to memory. A copy is proved
//! at every offset and length that fits, a loop at every trip count up to a bound; so what is proved is what is
//! emitted, not a model of it.

use crate::gradient::{GradientReport, GradientVerdict, prove_gradients};
use crate::solver::{Solver, SolverError};
use std::fmt::Write;

/// Cells of each block.
const CELLS: u64 = 4;

/// A rule: its name, and the functions that it is proved on.
#[derive(Clone, Debug)]
pub struct StructureRule {
    /// What it is about.
    pub name: &'static str,
    /// Modules in LLVM's text.
    pub modules: Vec<String>,
}

impl StructureRule {
    /// Proves every function of the family; stops at the first that is not.
    pub fn prove(&self, options: &ad::Options, solver: &Solver) -> Result<Vec<GradientReport>, SolverError> {
        let mut reports = Vec::new();
        for text in &self.modules {
            let unknown = |why: String| GradientReport::unknown(self.name.to_owned(), why);
            let mut proved = match ir::parse(text, self.name) {
                Ok(module) => prove_gradients(&module, options, solver)?,
                Err(error) => vec![unknown(error.to_string())],
            };
            if proved.is_empty() {
                proved.push(unknown("the synthesis refuses it".into()));
            }
            let stop = proved.iter().any(|report| report.verdict != GradientVerdict::Proved);
            reports.extend(proved);
            if stop {
                break;
            }
        }
        Ok(reports)
    }
}

/// A module with the function `f` of two blocks, called by `main`.
fn module(declarations: &str, body: &str) -> String {
    let mut main = String::new();
    for (block, start) in [("x", 3), ("dx", 0), ("y", 5), ("dy", 1)] {
        // Writing to a String cannot fail.
        let _ = writeln!(main, "  %{block} = alloca [{CELLS} x double], align 16");
        for cell in 0..CELLS {
            let _ = writeln!(
                main,
                "  %{block}{cell} = getelementptr double, ptr %{block}, i64 {cell}\n  \
                 store double {}.5, ptr %{block}{cell}, align 8",
                start + cell
            );
        }
    }
    format!(
        "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"\n\
         target triple = \"x86_64-pc-linux-gnu\"\n{declarations}\ndeclare void @__enzyme_autodiff(ptr, ...)\n\
         define void @f(ptr %x, ptr %y) {{\nentry:\n{body}  ret void\n}}\n\
         define i32 @main() {{\nentry:\n\
         {main}  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, ptr %y, ptr %dy)\n  ret i32 0\n}}\n"
    )
}

fn cell(name: &str, block: &str, index: u64) -> String {
    format!("  %{name} = getelementptr double, ptr %{block}, i64 {index}\n")
}

/// Loads and stores that give the cells of both blocks their type, and an effect that is not linear: yᵢ = yᵢ·xᵢ.
fn typed() -> String {
    let of = |i: u64| {
        cell(&format!("px{i}"), "x", i)
            + &cell(&format!("py{i}"), "y", i)
            + &format!(
                "  %lx{i} = load double, ptr %px{i}, align 8\n  %ly{i} = load double, ptr %py{i}, align 8\n  \
                 %m{i} = fmul double %lx{i}, %ly{i}\n  store double %m{i}, ptr %py{i}, align 8\n"
            )
    };
    (0..CELLS).map(of).collect()
}

/// Every way of copying within a block of cells: destination, source, length.
fn copies() -> Vec<(u64, u64, u64)> {
    let all =
        (0..CELLS).flat_map(|to| (0..CELLS).flat_map(move |from| (1..=CELLS).map(move |count| (to, from, count))));
    all.filter(|(to, from, count)| to + count <= CELLS && from + count <= CELLS).collect()
}

/// All rules of memory and control.
pub fn structure_rules() -> Vec<StructureRule> {
    let mut rules = memory();
    rules.extend(control());
    rules
}

fn rule(name: &'static str, modules: Vec<String>) -> StructureRule {
    StructureRule { name, modules }
}

fn memory() -> Vec<StructureRule> {
    let plain = |body: &str| module("", body);
    let indices = || (0..CELLS).flat_map(|a| (0..CELLS).map(move |b| (a, b)));
    let copy = |function: &str, to: &str, from: &str, at: (u64, u64, u64)| {
        let declaration = format!("declare void @llvm.{function}.p0.p0.i64(ptr, ptr, i64, i1)");
        let call = format!("  call void @llvm.{function}.p0.p0.i64(ptr %to, ptr %from, i64 {}, i1 false)\n", at.2 * 8);
        module(&declaration, &(typed() + &cell("to", to, at.0) + &cell("from", from, at.1) + &call))
    };
    let load_store = |(a, b): (u64, u64)| {
        let move_one = "  %v = load double, ptr %a, align 8\n  store double %v, ptr %b, align 8\n";
        plain(&(cell("a", "x", a) + &cell("b", "y", b) + move_one))
    };
    let within = |(a, b): (u64, u64)| {
        let twice = "  %v = load double, ptr %a, align 8\n  %s = fmul double %v, %v\n  \
            store double %s, ptr %b, align 8\n  %w = load double, ptr %a, align 8\n  %p = fmul double %w, %v\n  \
            store double %p, ptr %a, align 8\n";
        plain(&(cell("a", "x", a) + &cell("b", "x", b) + twice))
    };
    let bits = |(a, b): (u64, u64)| {
        let through = "  %v = load i64, ptr %a, align 8\n  store i64 %v, ptr %b, align 8\n";
        plain(&(typed() + &cell("a", "x", a) + &cell("b", "y", b) + through))
    };
    let zeroed = |(start, count): (u64, u64)| {
        let call = format!("  call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 {}, i1 false)\n", count * 8);
        let body = typed()
            + &cell("a", "y", start)
            + &call
            + "  %v = load double, ptr %x, align 8\n  %s = fmul double %v, %v\n  \
                %l = getelementptr double, ptr %y, i64 3\n  store double %s, ptr %l, align 8\n";
        module("declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)", &body)
    };
    let stretches = (0..CELLS).flat_map(|start| (1..=CELLS - start).map(move |count| (start, count)));
    let heap = "declare ptr @malloc(i64)\ndeclare void @free(ptr)\ndeclare ptr @calloc(i64, i64)\n\
        declare ptr @realloc(ptr, i64)\n";
    let square_through = |get: &str, give_back: &str| {
        let body = format!(
            "  %v = load double, ptr %x, align 8\n{get}  %s = fmul double %v, %v\n  store double %s, ptr %m, align \
             8\n  %q = load double, ptr %m, align 8\n  %r = fmul double %q, %v\n\
             {give_back}  store double %r, ptr %y, align 8\n"
        );
        module(heap, &body)
    };
    let atomic = "  %v = load double, ptr %x, align 8\n  %s = fmul double %v, %v\n  \
        %o = atomicrmw fadd ptr %y, double %s seq_cst, align 8\n";
    vec![
        rule("atomic add", vec![plain(atomic)]),
        rule("load and store", indices().map(load_store).collect()),
        rule("store over what was read", indices().map(within).collect()),
        rule("memcpy", copies().into_iter().map(|at| copy("memcpy", "y", "x", at)).collect()),
        rule("memmove, overlapping", copies().into_iter().map(|at| copy("memmove", "y", "y", at)).collect()),
        rule("copy through integers", indices().map(bits).collect()),
        rule("memset", stretches.map(zeroed).collect()),
        rule(
            "allocation and free",
            vec![
                square_through("  %m = alloca double, align 8\n", ""),
                square_through("  %m = call ptr @malloc(i64 8)\n", "  call void @free(ptr %m)\n"),
                square_through("  %m = call ptr @calloc(i64 1, i64 8)\n", "  call void @free(ptr %m)\n"),
            ],
        ),
    ]
}

fn control() -> Vec<StructureRule> {
    let plain = |body: &str| module("", body);
    let start = "  %v = load double, ptr %x, align 8\n  %x1 = getelementptr double, ptr %x, i64 1\n  \
        %w = load double, ptr %x1, align 8\n";
    let branch = format!(
        "{start}  %c = fcmp olt double %v, %w\n  br i1 %c, label %then, label %else\nthen:\n  %a = fmul double %v, \
         %w\n  br label %join\n\
         else:\n  %b = fadd double %v, %v\n  br label %join\njoin:\n  %p = phi double [ %a, %then ], [ %b, %else ]\n  \
         store double %p, ptr %y, align 8\n"
    );
    let swap = format!(
        "{start}  %c = fcmp olt double %v, %w\n  br i1 %c, label %other, label %join\nother:\n  br label \
         %join\njoin:\n  %p = phi double [ %v, %entry ], [ %w, %other ]\n  \
         %q = phi double [ %w, %entry ], [ %v, %other ]\n  %r = fmul double %p, %p\n  %s = fsub double %r, %q\n  \
         store double %s, ptr %y, align 8\n"
    );
    let select = format!(
        "{start}  %c = fcmp ogt double %v, %w\n  %s = select i1 %c, double %v, double %w\n  %p = fmul double %s, %v\n  \
         store double %p, ptr %y, align 8\n"
    );
    let pointers = format!(
        "{start}  %c = fcmp ogt double %v, %w\n  %s = select i1 %c, ptr %x, ptr %x1\n  \
         %l = load double, ptr %s, align 8\n  %p = fmul double %l, %v\n  store double %p, ptr %y, align 8\n"
    );
    let switch = |value: u64| {
        plain(&format!(
            "{start}  switch i64 {value}, label %other [\n    i64 0, label %zero\n    i64 1, label %one\n  ]\nzero:\n  \
             %a = fmul double %v, %v\n  br label %join\none:\n  %b = fmul double %v, %w\n  br label %join\nother:\n  \
             br label %join\njoin:\n  %p = phi double [ %a, %zero ], [ %b, %one ], [ %w, %other ]\n  \
             store double %p, ptr %y, align 8\n"
        ))
    };
    let power = |count: u64| {
        plain(&format!(
            "{start}  br label %head\nhead:\n  %i = phi i64 [ 0, %entry ], [ %next, %body ]\n  \
             %p = phi double [ %w, %entry ], [ %m, %body ]\n  %c = icmp ult i64 %i, {count}\n  \
             br i1 %c, label %body, label %done\nbody:\n  %m = fmul double %p, %v\n  %next = add i64 %i, 1\n  \
             br label %head\ndone:\n  store double %p, ptr %y, align 8\n"
        ))
    };
    let sweep = |count: u64| {
        plain(&format!(
            "{start}  br label %body\nbody:\n  %i = phi i64 [ 0, %entry ], [ %next, %body ]\n  \
             %a = getelementptr double, ptr %x, i64 %i\n  %l = load double, ptr %a, align 8\n  \
             %b = getelementptr double, ptr %y, i64 %i\n  %o = load double, ptr %b, align 8\n  \
             %m = fmul double %l, %o\n  store double %m, ptr %b, align 8\n  %s = fadd double %m, %l\n  \
             store double %s, ptr %a, align 8\n  %next = add i64 %i, 1\n  %c = icmp ult i64 %next, {count}\n  \
             br i1 %c, label %body, label %done\ndone:\n"
        ))
    };
    let search = format!(
        "{start}  br label %head\nhead:\n  %i = phi i64 [ 0, %entry ], [ %next, %more ]\n  \
         %p = phi double [ %v, %entry ], [ %m, %more ]\n  %c = icmp ult i64 %i, 3\n  \
         br i1 %c, label %body, label %done\nbody:\n  %t = fcmp olt double %p, %w\n  \
         br i1 %t, label %done, label %more\n\
         more:\n  %m = fmul double %p, %v\n  %next = add i64 %i, 1\n  br label %head\ndone:\n  \
         %r = phi double [ %p, %head ], [ %w, %body ]\n  store double %r, ptr %y, align 8\n"
    );
    vec![
        rule("phi", vec![plain(&branch), plain(&swap)]),
        rule("select", vec![plain(&select), plain(&pointers)]),
        rule("switch", (0..3).map(switch).collect()),
        rule("loop", (0..5).map(power).chain((1..=CELLS).map(sweep)).collect()),
        rule("loop with two exits", vec![plain(&search)]),
    ]
}
