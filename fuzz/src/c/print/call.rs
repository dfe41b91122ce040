//! The differentiated call: its data, its prototype, and what it leaves, printed to the last digit.

use super::{constant, integer, integers, numbers, structures, value};
use crate::c::ast::{Activity, Field, Kind, Program, Struct, Var, VarId, Width};
use std::fmt::Write;

/// The function `run` of a program.
pub(super) fn run(program: &Program, suffix: &str) -> String {
    let Some(function) = program.functions.first() else { return String::new() };
    let params: Vec<(VarId, &Var)> = function.params().collect();
    let mut it = Call { program, suffix, types: vec!["void *".to_owned()], args: Vec::new(), body: String::new() };
    it.args.push(format!("(void *)f{suffix}"));
    let mut outs = Vec::new();
    let mut show = String::new();
    for ((v, var), activity) in params.iter().zip(&program.activities) {
        it.argument(*v, var, *activity, &mut show);
        if let (Activity::Out, Kind::Float(w)) = (activity, var.kind) {
            outs.push(w);
        }
    }
    let (ret, definition) = result_type(&outs, suffix);
    let call = format!("__enzyme_autodiff{suffix}_f({})", it.args.join(", "));
    // In a batch one refused call must not keep the others from being linked.
    let (weak, apart) =
        if suffix.is_empty() { ("", "") } else { (" __attribute__((weak))", "__attribute__((noinline)) ") };
    let types = it.types.join(", ");
    let mut out = format!("\n{definition}extern {ret} __enzyme_autodiff{suffix}_f({types}){weak};\n");
    let _ = writeln!(out, "static {apart}void run{suffix}(void) {{");
    out.push_str(&it.body);
    if program.twice {
        out.push_str("  for (int t = 0; t < 2; t++) {\n");
    }
    match outs.len() {
        0 => {
            let _ = writeln!(out, "  {call};");
        }
        1 => {
            let _ = writeln!(out, "  {ret} r = {call};\n  printf(\"%.17g\\n\", (double)r);");
        }
        n => {
            let _ = writeln!(out, "  {ret} r = {call};");
            for i in 0..n {
                let _ = writeln!(out, "  printf(\"%.17g\\n\", (double)r.o{i});");
            }
        }
    }
    out.push_str(if program.twice { "  }\n" } else { "" });
    out.push_str(&show);
    out.push_str("}\n");
    out
}

fn result_type(outs: &[Width], suffix: &str) -> (String, String) {
    match outs {
        [] => ("void".to_owned(), String::new()),
        [one] => (one.c().to_owned(), String::new()),
        several => {
            let name = format!("struct out{suffix}");
            let fields: Vec<String> = several.iter().enumerate().map(|(i, w)| format!("{} o{i};", w.c())).collect();
            let definition = format!("{name} {{ {} }};\n", fields.join(" "));
            (name, definition)
        }
    }
}

struct Call<'p> {
    program: &'p Program,
    suffix: &'p str,
    types: Vec<String>,
    args: Vec<String>,
    body: String,
}

impl Call<'_> {
    fn argument(&mut self, v: VarId, var: &Var, activity: Activity, show: &mut String) {
        self.types.push("int".to_owned());
        self.args.push(activity.c().to_owned());
        let dup = matches!(activity, Activity::Dup | Activity::DupNoNeed);
        let seed = var.start;
        let shadow_seed = self.program.seeded_shadows.then_some(seed ^ 0x5eed);
        match var.kind {
            Kind::Float(w) => self.push(w.c(), constant(value(seed, 0), w)),
            Kind::Int(low, high) => self.push("int", integer(seed, 0, low, high).to_string()),
            Kind::Ints(n, low, high) => {
                let _ = writeln!(self.body, "  int k{v}[{n}] = {};", integers(n, low, high, seed));
                self.push("const int *", format!("k{v}"));
            }
            Kind::Array(w, n) | Kind::Pointer(w, n) => {
                let c = w.c();
                let _ = writeln!(self.body, "  {c} a{v}[{n}] = {};", numbers(w, n, seed));
                self.push(&format!("{c} *"), format!("a{v}"));
                if dup {
                    let start = shadow_seed.map_or("{0}".to_owned(), |seed| numbers(w, n, seed));
                    let _ = writeln!(self.body, "  {c} d{v}[{n}] = {start};");
                    self.push(&format!("{c} *"), format!("d{v}"));
                }
                let mut all = Vec::new();
                if activity != Activity::DupNoNeed {
                    all.push(format!("a{v}[i]"));
                }
                if dup {
                    all.push(format!("d{v}[i]"));
                }
                let _ = writeln!(show, "  for (int i = 0; i < {n}; i++)");
                show.push_str(&print("    ", &all));
            }
            Kind::Structs(s, n) => {
                let it = &self.program.structs[s];
                let name = format!("struct s{s}{}", self.suffix);
                let start = structures(it, n, Some(seed), seed);
                let _ = writeln!(self.body, "  {name} s{v}[{n}] = {{{start}}};");
                self.push(&format!("{name} *"), format!("s{v}"));
                if dup {
                    let start = structures(it, n, shadow_seed, seed);
                    let _ = writeln!(self.body, "  {name} t{v}[{n}] = {{{start}}};");
                    self.push(&format!("{name} *"), format!("t{v}"));
                }
                let mut all = Vec::new();
                if activity != Activity::DupNoNeed {
                    all.extend(fields(it, &format!("s{v}[i]"), true));
                }
                if dup {
                    all.extend(fields(it, &format!("t{v}[i]"), false));
                }
                let _ = writeln!(show, "  for (int i = 0; i < {n}; i++)");
                show.push_str(&print("    ", &all));
            }
        }
    }

    fn push(&mut self, ty: &str, value: String) {
        self.types.push(ty.to_owned());
        self.args.push(value);
    }
}

/// The numbers of a structure, and its integers if wanted.
fn fields(it: &Struct, of: &str, integers: bool) -> Vec<String> {
    let mut all = Vec::new();
    for (i, field) in it.fields.iter().enumerate() {
        match field {
            Field::Float(_) => all.push(format!("{of}.m{i}")),
            Field::Int if integers => all.push(format!("{of}.m{i}")),
            Field::Int => {}
            Field::Array(_, n) => all.extend((0..*n).map(|j| format!("{of}.m{i}[{j}]"))),
        }
    }
    all
}

fn print(indent: &str, all: &[String]) -> String {
    if all.is_empty() {
        return format!("{indent};\n");
    }
    let format = vec!["%.17g"; all.len()].join(" ");
    let args: Vec<String> = all.iter().map(|a| format!("(double){a}")).collect();
    format!("{indent}printf(\"{format}\\n\", {});\n", args.join(", "))
}
