//! Trees to C. The printer keeps the invariants of [`super::ast`]: it scales what is stored, maps arguments into
//! domains, and brings every index into its array.

mod call;
mod expr;
mod idiom;
mod parallel;
mod stmt;
mod teams;
mod travel;

use super::ast::{Address, Field, Function, Home, Kind, PLAN_TABLE, PLAN_WORK, Program, Struct, Var, Width};
use crate::c::ways::VarId;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Headers, and words of which one asks for them.
const HEADERS: [(&str, &[&str]); 7] = [
    ("omp", &["omp_get", "omp_lock"]),
    ("pthread", &["pthread_"]),
    ("stdarg", &["va_list"]),
    ("stdio", &["printf", "FILE", "sscanf"]),
    ("stdlib", &["alloc(", "free(", "atoi(", "abort(", "atof(", "strto", "qsort(", "env("]),
    ("string", &["mem", "strcpy(", "strlen("]),
    ("unistd", &["pipe("]),
];

/// The plan of a call.
const PLAN: &str = "struct plan { double *work; double table[3]; int which; };";

/// A program of its own with `main`.
pub fn program(program: &Program) -> String {
    batch(&[program])
}

/// Several programs in one: `main` runs those whose numbers are given as arguments, or all.
pub fn batch(programs: &[&Program]) -> String {
    let mut prototypes = BTreeSet::new();
    let mut parts = String::new();
    for (index, program) in programs.iter().enumerate() {
        let suffix = if programs.len() == 1 { String::new() } else { format!("_{index}") };
        let (text, used) = one(program, &suffix);
        parts.push_str(&text);
        prototypes.extend(used);
    }
    let mut out = "#define ADJ_NO_AUTODIFF\n#include \"adj.h\"\n".to_owned();
    let main = main(programs.len());
    let mut before = String::new();
    for prototype in prototypes {
        let _ = writeln!(before, "{prototype}");
    }
    for (header, words) in HEADERS {
        if words.iter().any(|word| [&before, &parts, &main].iter().any(|text| text.contains(word))) {
            let _ = writeln!(out, "#include <{header}.h>");
        }
    }
    if !before.is_empty() {
        let _ = write!(out, "\n{before}");
    }
    out.push_str(&parts);
    out.push_str(&main);
    out
}

fn main(count: usize) -> String {
    if count == 1 {
        // The call stands in `main` itself.
        return String::new();
    }
    let mut out = "\nint main(int count, char **args) {\n".to_owned();
    for index in 0..count {
        let _ = writeln!(out, "  if (count < 2 || atoi(args[1]) == {index}) run_{index}();");
    }
    out.push_str("  return 0;\n}\n");
    out
}

/// Everything of one program but `main`, and the prototypes it needs.
fn one(program: &Program, suffix: &str) -> (String, BTreeSet<String>) {
    let mut prototypes = BTreeSet::new();
    let (mut heads, mut bodies, mut globals) = (String::new(), String::new(), String::new());
    let called = called(program);
    for (index, function) in program.functions.iter().enumerate().rev() {
        if index > 0 && !called.contains(&index) {
            continue;
        }
        let mut printer = Printer::new(program, function, index, suffix);
        let text = printer.function();
        prototypes.append(&mut printer.prototypes);
        globals.push_str(&printer.globals());
        let head = text.lines().next().unwrap_or_default().trim_end_matches(" {").to_owned();
        if index > 0 {
            let _ = writeln!(heads, "{head};");
        }
        let _ = write!(bodies, "\n{text}");
    }
    let mut out = String::new();
    for (index, it) in program.structs.iter().enumerate() {
        // A structure that nothing mentions is left out.
        let name = format!("struct s{index}{suffix}");
        if bodies.contains(&format!("{name} ")) {
            let _ = write!(out, "\n{}", structure(it, &name));
        }
    }
    if !heads.is_empty() {
        let _ = write!(out, "\n{heads}");
    }
    if !globals.is_empty() {
        let _ = write!(out, "\n{globals}");
    }
    out.push_str(&bodies);
    out.push_str(&call::run(program, suffix));
    (out, prototypes)
}

/// The functions that are reached.
fn called(program: &Program) -> BTreeSet<usize> {
    let mut seen = BTreeSet::new();
    let mut work = vec![0];
    while let Some(index) = work.pop() {
        if let Some(function) = program.functions.get(index).filter(|_| seen.insert(index)) {
            super::ast::calls(&function.body, &mut work);
        }
    }
    seen
}

fn structure(it: &Struct, name: &str) -> String {
    let one = |(index, field): (usize, &Field)| match field {
        Field::Float(w) => format!("{} m{index};", w.c()),
        Field::Int => format!("int m{index};"),
        Field::Array(w, n) => format!("{} m{index}[{n}];", w.c()),
    };
    let fields: Vec<String> = it.fields.iter().enumerate().map(one).collect();
    format!("{name} {{ {} }};\n", fields.join(" "))
}

/// A number of moderate size that depends on a seed and an index only.
pub fn value(seed: u64, index: usize) -> f64 {
    let mut z = seed.wrapping_add((index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    let steps = ((z >> 33) % 28_000) as f64 - 14_000.0;
    if steps == 0.0 { 0.5 } else { steps / 1e4 }
}

/// The integers a seed stands for, in a range.
pub fn integer(seed: u64, index: usize, low: i64, high: i64) -> i64 {
    let fraction = (value(seed, index) + 1.4) / 2.8;
    (low + (fraction * (high - low + 1) as f64) as i64).clamp(low, high)
}

/// A constant in C.
pub fn constant(c: f64, width: Width) -> String {
    let suffix = match width {
        Width::F32 => "f",
        Width::F64 => "",
        Width::F80 => "L",
    };
    let text = format!("{c:?}{suffix}");
    if c < 0.0 { format!("({text})") } else { text }
}

/// Writes one function.
struct Printer<'p> {
    program: &'p Program,
    f: &'p Function,
    index: usize,
    suffix: &'p str,
    out: String,
    depth: usize,
    /// How often the current statement may run in one call.
    weight: f64,
    /// Loops around it.
    loops: usize,
    /// Heap blocks to be freed, each with the loops around it.
    live: Vec<(VarId, usize)>,
    /// Variables that are mentioned.
    used: BTreeSet<VarId>,
    /// Labels made so far.
    labels: usize,
    /// Within a region.
    team: bool,
    /// The counters of the loop around it that is shared out.
    counters: Vec<VarId>,
    prototypes: BTreeSet<String>,
}

impl<'p> Printer<'p> {
    fn new(program: &'p Program, f: &'p Function, index: usize, suffix: &'p str) -> Printer<'p> {
        Printer {
            program,
            f,
            index,
            suffix,
            out: String::new(),
            depth: 1,
            weight: 1.0,
            loops: 0,
            live: Vec::new(),
            used: BTreeSet::new(),
            labels: 0,
            team: false,
            counters: Vec::new(),
            prototypes: BTreeSet::new(),
        }
    }

    fn line(&mut self, text: &str) {
        for _ in 0..self.depth {
            self.out.push_str("  ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// The name of a variable, which is thereby used.
    fn name(&mut self, v: VarId) -> String {
        self.used.insert(v);
        let var = &self.f.vars[v];
        if var.kind == Kind::Plan {
            self.prototypes.insert(PLAN.to_owned());
        }
        let letter = match (var.kind, var.home) {
            (Kind::Float(_), _) => "x",
            (Kind::Int(..), Home::Scoped) => "i",
            (Kind::Int(..), _) => "n",
            (Kind::Array(..), _) => "a",
            (Kind::Pointer(..), _) => "p",
            (Kind::Ints(..), _) => "k",
            (Kind::Structs(..), _) => "s",
            (Kind::Plan, _) => "plan",
        };
        match var.home {
            Home::Global | Home::Thread => format!("q{v}f{}{}", self.index, self.suffix),
            Home::Param | Home::Local | Home::Scoped => format!("{letter}{v}"),
        }
    }

    /// Declarations of the arrays that outlive the function.
    fn globals(&mut self) -> String {
        let mut out = String::new();
        for v in self.used.clone() {
            if let (Kind::Array(w, n), Home::Global) = (self.f.vars[v].kind, self.f.vars[v].home) {
                let start = numbers(w, n, self.f.vars[v].start);
                let _ = writeln!(out, "static {} {}[{n}] = {start};", w.c(), self.name(v));
            }
        }
        out + &self.thread_arrays()
    }

    fn function_name(&self, index: usize) -> String {
        if index == 0 { format!("f{}", self.suffix) } else { format!("g{index}{}", self.suffix) }
    }

    fn struct_name(&self, index: usize) -> String {
        format!("struct s{index}{}", self.suffix)
    }

    fn function(&mut self) -> String {
        let f = self.f;
        if let Some(base) = &f.base {
            let width = f.ret.unwrap_or(Width::F64);
            let base = match f.ret {
                Some(_) => format!("return {};", self.bounded(base, width, super::ast::BOUND / 2.0)),
                None => "return;".to_owned(),
            };
            self.line(&format!("if (depth <= 0) {base}"));
        }
        self.stmts(&f.body);
        if f.ret.is_some() {
            self.leave(f.result.as_ref());
        }
        let body = std::mem::take(&mut self.out);
        let mut head = String::new();
        let ret = f.ret.map_or("void", Width::c);
        let attribute = if f.noinline { "__attribute__((noinline)) " } else { "" };
        let _ = write!(head, "static {attribute}{ret} {}(", self.function_name(self.index));
        let mut params = Vec::new();
        if f.base.is_some() {
            params.push("int depth".to_owned());
        }
        for (v, var) in f.params() {
            let name = self.name(v);
            let space = if matches!(var.kind, Kind::Float(_) | Kind::Int(..)) { " " } else { "" };
            params.push(format!("{}{space}{name}", self.parameter_type(var)));
        }
        let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
        let _ = writeln!(head, "{params}) {{");
        self.depth = 1;
        self.locals();
        format!("{head}{}{body}}}\n", self.out)
    }

    /// The type of a parameter.
    fn parameter_type(&self, var: &Var) -> String {
        let constness = if var.readonly { "const " } else { "" };
        match var.kind {
            Kind::Float(w) => w.c().to_owned(),
            Kind::Int(..) => "int".to_owned(),
            Kind::Array(w, _) | Kind::Pointer(w, _) => format!("{constness}{} *", w.c()),
            Kind::Ints(..) => "const int *".to_owned(),
            Kind::Structs(s, _) => format!("{constness}{} *", self.struct_name(s)),
            Kind::Plan => "struct plan *".to_owned(),
        }
    }

    /// The types of all parameters of a function.
    fn parameter_types(&self, f: &Function) -> String {
        let depth = f.base.as_ref().map(|_| "int".to_owned());
        let types: Vec<String> = depth.into_iter().chain(f.params().map(|(_, var)| self.parameter_type(var))).collect();
        if types.is_empty() { "void".to_owned() } else { types.join(", ") }
    }

    /// Declares the locals that are used; a pointer uses what it points to at first.
    fn locals(&mut self) {
        let f = self.f;
        let mut pointers = Vec::new();
        for v in self.used.clone() {
            if let (Kind::Pointer(w, _), Home::Local) = (f.vars[v].kind, f.vars[v].home) {
                let target = self.address(&Address::Of(f.vars[v].start as usize, super::ast::Int::Const(0)), 1);
                let constness = if f.vars[v].readonly { "const " } else { "" };
                let name = self.name(v);
                pointers.push(format!("{constness}{} *{name} = {target};", w.c()));
            }
        }
        for v in self.used.clone() {
            let var = &f.vars[v];
            if var.home != Home::Local {
                continue;
            }
            let name = self.name(v);
            match var.kind {
                Kind::Float(w) => self.line(&format!("{} {name} = {};", w.c(), constant(value(var.start, 0), w))),
                Kind::Int(low, high) => self.line(&format!("int {name} = {};", integer(var.start, 0, low, high))),
                Kind::Array(w, n) => self.line(&format!("{} {name}[{n}] = {};", w.c(), numbers(w, n, var.start))),
                Kind::Ints(n, low, high) => {
                    self.line(&format!("int {name}[{n}] = {};", integers(n, low, high, var.start)));
                }
                Kind::Structs(s, n) => {
                    let dims = if n == 1 { String::new() } else { format!("[{n}]") };
                    let start = structures(&self.program.structs[s], n, Some(var.start), var.start);
                    let start = if n == 1 { start } else { format!("{{{start}}}") };
                    self.line(&format!("{} {name}{dims} = {start};", self.struct_name(s)));
                }
                Kind::Plan => {
                    let (lines, plan) = plan(var.start, &name);
                    lines.iter().for_each(|line| self.line(line));
                    self.line(&format!("struct plan {name}[1] = {{{plan}}};"));
                }
                Kind::Pointer(..) => {}
            }
        }
        for pointer in pointers {
            self.line(&pointer);
        }
    }
}

/// The memory of a plan of that name, as declarations, and its initial value.
fn plan(seed: u64, name: &str) -> (Vec<String>, String) {
    let work = numbers(Width::F64, PLAN_WORK, seed);
    let table = numbers(Width::F64, PLAN_TABLE, seed ^ 0x7ab1);
    let which = integer(seed, PLAN_WORK, 0, 4);
    (vec![format!("double {name}w[{PLAN_WORK}] = {work};")], format!("{{{name}w, {table}, {which}}}"))
}

/// Initial values of an array.
pub fn numbers(width: Width, count: usize, seed: u64) -> String {
    let all: Vec<String> = (0..count).map(|i| constant(value(seed, i), width)).collect();
    format!("{{{}}}", all.join(", ").replace(['(', ')'], ""))
}

/// Initial values of an array of integers.
pub fn integers(count: usize, low: i64, high: i64, seed: u64) -> String {
    let all: Vec<String> = (0..count).map(|i| integer(seed, i, low, high).to_string()).collect();
    format!("{{{}}}", all.join(", "))
}

/// Initial values of structures; without a seed for the numbers these are zero (a shadow's).
pub fn structures(it: &Struct, count: usize, numbers_from: Option<u64>, integers_from: u64) -> String {
    let mut all = Vec::new();
    for element in 0..count {
        let at = |field: usize, sub: usize| element * 64 + field * 8 + sub;
        let number = |w, field, sub| numbers_from.map_or("0".into(), |seed| constant(value(seed, at(field, sub)), w));
        let fields: Vec<String> = it
            .fields
            .iter()
            .enumerate()
            .map(|(i, field)| match field {
                Field::Float(w) => number(*w, i, 0),
                Field::Int => integer(integers_from, at(i, 0), 0, super::ast::FIELD_INT).to_string(),
                Field::Array(w, n) => {
                    let all: Vec<String> = (0..*n).map(|j| number(*w, i, j)).collect();
                    format!("{{{}}}", all.join(", "))
                }
            })
            .collect();
        all.push(format!("{{{}}}", fields.join(", ").replace(['(', ')'], "")));
    }
    all.join(", ")
}
