//! The differentiated call: its data, its prototype, and what it leaves, printed to the last digit.
//!
//! A derivative has *formals*: the parameters of the function, each active one followed by its shadows or tangents. In
//! a nested mode a function with these parameters makes the inner call, and the outer call gives each active formal a
//! shadow or tangent again.

use super::{constant, integer, integers, numbers, structures, value};
use crate::c::ast::{Activity, Field, Kind, Mode, Program, Struct, Var, Width};
use std::fmt::Write;

/// The function `run` of a program, and what comes before it.
pub(super) fn run(program: &Program, suffix: &str) -> String {
    let Some(function) = program.functions.first() else { return String::new() };
    let (forward, directions) = match program.mode {
        Mode::Reverse | Mode::Split | Mode::Nested { inner: true, .. } => (false, 1),
        Mode::Forward(n) => (true, n),
        Mode::Nested { inner: false, .. } => (true, 1),
    };
    let mut it = Call {
        program,
        suffix,
        formals: Vec::new(),
        tokens: Vec::new(),
        before: String::new(),
        body: String::new(),
        show: Vec::new(),
    };
    if directions > 1 {
        it.tokens.push(Token::Text("enzyme_width"));
        it.tokens.push(Token::Number(directions));
    }
    let mut results = Vec::new();
    for ((v, var), activity) in function.params().zip(&program.activities) {
        it.parameter(v, var, *activity, (forward, directions));
        if let (Activity::Out, Kind::Float(w), false) = (activity, var.kind, forward) {
            results.push(w);
        }
    }
    if forward {
        results.extend(function.ret.into_iter().flat_map(|w| std::iter::repeat_n(w, directions)));
    }
    let entry = if forward { "__enzyme_fwddiff" } else { "__enzyme_autodiff" };
    let mut of = format!("f{suffix}");
    if let Some(at) = program.packed_at() {
        it.pack(at);
        of = format!("packed{suffix}");
    }
    let (types, args) = it.list(|formal| formal.actual.clone());
    match program.mode {
        Mode::Reverse | Mode::Forward(_) => {
            let call = Entry { name: format!("{entry}{suffix}_f"), of, types, args, results };
            it.whole(&call, "out", String::new())
        }
        Mode::Split => it.split(&of, function.ret, types, args, &results),
        Mode::Nested { outer, .. } => {
            let (types, names) = it.list(|formal| formal.name.clone());
            let call =
                Entry { name: format!("{entry}{suffix}_i"), of: format!("f{suffix}"), types, args: names, results };
            it.nested(&call, outer)
        }
    }
}

/// A parameter of the derivative.
struct Formal {
    ty: String,
    name: String,
    actual: String,
    /// What it is, when it is active.
    active: Option<Active>,
}

/// An active formal.
#[derive(Clone)]
enum Active {
    Scalar(Width),
    Memory(Var),
}

/// A part of an argument list.
#[derive(Clone)]
enum Token {
    Text(&'static str),
    Number(usize),
    Formal(usize),
    /// Two formals, as one structure.
    Packed(usize, usize),
}

/// A call of an entry point.
struct Entry {
    name: String,
    of: String,
    types: Vec<String>,
    args: Vec<String>,
    results: Vec<Width>,
}

struct Call<'p> {
    program: &'p Program,
    suffix: &'p str,
    formals: Vec<Formal>,
    tokens: Vec<Token>,
    /// A function around the differentiated one.
    before: String,
    /// Declarations.
    body: String,
    /// Cells to be printed: in so many elements, these.
    show: Vec<(usize, Vec<String>)>,
}

impl Call<'_> {
    fn formal(&mut self, ty: String, name: String, actual: String, active: Option<Active>) {
        self.tokens.push(Token::Formal(self.formals.len()));
        self.formals.push(Formal { ty, name, actual, active });
    }

    fn parameter(&mut self, v: usize, var: &Var, activity: Activity, (forward, directions): (bool, usize)) {
        let out = if forward { Activity::Dup } else { Activity::Out };
        let marker = if activity == Activity::Out { out } else { activity };
        self.tokens.push(Token::Text(marker.c()));
        let active = activity != Activity::Const;
        let shadowed = matches!(marker, Activity::Dup | Activity::DupNoNeed);
        let seed = var.start;
        match var.kind {
            Kind::Float(w) => {
                let own = active.then_some(Active::Scalar(w));
                self.formal(w.c().into(), format!("x{v}"), constant(value(seed, 0), w), own.clone());
                for n in 0..if shadowed { directions } else { 0 } {
                    let tangent = constant(value(seed ^ 0x7a17, n), w);
                    self.formal(w.c().into(), format!("x{v}d{n}"), tangent, own.clone());
                }
            }
            Kind::Int(low, high) => {
                self.formal("int".into(), format!("n{v}"), integer(seed, 0, low, high).to_string(), None);
            }
            Kind::Ints(n, low, high) => {
                let _ = writeln!(self.body, "  int k{v}[{n}] = {};", integers(n, low, high, seed));
                self.formal("const int *".into(), format!("k{v}"), format!("k{v}"), None);
            }
            Kind::Plan => {
                let name = format!("plan{v}");
                let (lines, plan) = super::plan(seed, &name);
                let _ = writeln!(self.body, "  {}\n  struct plan {name} = {plan};", lines.join("\n  "));
                self.show.push((super::PLAN_WORK, vec![format!("{name}w[i]")]));
                self.formal("struct plan *".into(), name.clone(), format!("&{name}"), None);
            }
            Kind::Array(..) | Kind::Pointer(..) | Kind::Structs(..) => {
                let ty = self.pointer(var.kind);
                let own = active.then(|| Active::Memory(var.clone()));
                self.memory(var, &format!("a{v}"), Some(seed), activity != Activity::DupNoNeed, true);
                self.formal(ty.clone(), format!("a{v}"), format!("a{v}"), own.clone());
                for n in 0..if shadowed { directions } else { 0 } {
                    let name = if n == 0 { format!("d{v}") } else { format!("d{v}d{n}") };
                    let start = match forward {
                        true => Some(seed ^ 0x7a17 ^ ((n as u64) << 20)),
                        false => self.program.seeded_shadows.then_some(seed ^ 0x5eed),
                    };
                    self.memory(var, &name, start, true, false);
                    self.formal(ty.clone(), name.clone(), name, own.clone());
                }
            }
        }
    }

    fn pointer(&self, kind: Kind) -> String {
        match kind {
            Kind::Structs(s, _) => format!("struct s{s}{} *", self.suffix),
            Kind::Array(w, _) | Kind::Pointer(w, _) | Kind::Float(w) => format!("{} *", w.c()),
            Kind::Int(..) | Kind::Ints(..) => "int *".to_owned(),
            Kind::Plan => "struct plan *".to_owned(),
        }
    }

    /// Declares memory of a parameter's shape, with numbers from a seed or zeros, and prints it in the end.
    fn memory(&mut self, var: &Var, name: &str, start: Option<u64>, shown: bool, primal: bool) {
        let (n, cells) = match var.kind {
            Kind::Array(w, n) | Kind::Pointer(w, n) => {
                let start = start.map_or("{0}".to_owned(), |seed| numbers(w, n, seed));
                let _ = writeln!(self.body, "  {} {name}[{n}] = {start};", w.c());
                (n, vec![format!("{name}[i]")])
            }
            Kind::Structs(s, n) => {
                let it = &self.program.structs[s];
                let start = structures(it, n, start, var.start);
                let _ = writeln!(self.body, "  struct s{s}{} {name}[{n}] = {{{start}}};", self.suffix);
                (n, fields(it, &format!("{name}[i]"), primal))
            }
            Kind::Float(_) | Kind::Int(..) | Kind::Ints(..) | Kind::Plan => return,
        };
        match self.show.last_mut() {
            _ if !shown => {}
            // The shadow of an argument stands beside it.
            Some((last, all)) if !primal && *last == n => all.extend(cells),
            _ => self.show.push((n, cells)),
        }
    }

    /// Passes a parameter and the next as one structure, and so their shadows.
    fn pack(&mut self, at: usize) {
        // A parameter is a marker, itself, and its shadows.
        let (mut params, mut current): (Vec<Vec<usize>>, Vec<Token>) = (Vec::new(), Vec::new());
        let mut markers = Vec::new();
        for token in std::mem::take(&mut self.tokens) {
            match token {
                Token::Text(marker) if marker != "enzyme_width" => {
                    markers.push(token);
                    params.push(Vec::new());
                }
                Token::Formal(i) => params.last_mut().into_iter().for_each(|all| all.push(i)),
                _ => current.push(token),
            }
        }
        self.tokens = current;
        let (mut takes, mut gives) = (Vec::new(), Vec::new());
        for (n, (marker, formals)) in markers.into_iter().zip(&params).enumerate() {
            let own = &self.formals[formals[0]];
            match n {
                _ if n == at => {
                    let next = &params[n + 1];
                    let suffix = self.suffix;
                    let members = format!("{} a; {} b;", own.ty, self.formals[next[0]].ty);
                    let _ = writeln!(self.before, "\nstruct pack{suffix} {{ {members} }};");
                    takes.push(format!("struct pack{suffix} p"));
                    gives.extend(["p.a".to_owned(), "p.b".to_owned()]);
                    self.tokens.push(marker);
                    let other = |i: usize| next.get(i).copied().unwrap_or(next[0]);
                    self.tokens.extend(formals.iter().enumerate().map(|(i, first)| Token::Packed(*first, other(i))));
                }
                _ if n == at + 1 => {}
                _ => {
                    takes.push(format!("{} {}", own.ty, own.name));
                    gives.push(own.name.clone());
                    self.tokens.push(marker);
                    self.tokens.extend(formals.iter().map(|i| Token::Formal(*i)));
                }
            }
        }
        let ret = self.program.functions.first().and_then(|f| f.ret);
        let (ret, call) = (ret.map_or("void", Width::c), format!("f{}({})", self.suffix, gives.join(", ")));
        let body = if ret == "void" { call } else { format!("return {call}") };
        let _ = writeln!(self.before, "static {ret} packed{}({}) {{ {body}; }}", self.suffix, takes.join(", "));
    }

    /// The types and the texts of the arguments.
    fn list(&self, text: impl Fn(&Formal) -> String) -> (Vec<String>, Vec<String>) {
        let one = |token: &Token| match token {
            Token::Text(marker) => ("int".to_owned(), (*marker).to_owned()),
            Token::Number(n) => ("int".to_owned(), n.to_string()),
            Token::Formal(i) => (self.formals[*i].ty.clone(), text(&self.formals[*i])),
            Token::Packed(i, j) => {
                let ty = format!("struct pack{}", self.suffix);
                let text = format!("({ty}){{{}, {}}}", text(&self.formals[*i]), text(&self.formals[*j]));
                (ty, text)
            }
        };
        self.tokens.iter().map(one).unzip()
    }

    /// In a batch one refused call must not keep the others from being linked.
    fn weak(&self) -> &'static str {
        if self.suffix.is_empty() { "" } else { " __attribute__((weak))" }
    }

    /// `run` with these statements for the call, behind these declarations.
    fn run(&self, declarations: &str, call: &str) -> String {
        let alone = self.suffix.is_empty();
        let head = match alone {
            true => "int main(void)".to_owned(),
            false => format!("static __attribute__((noinline)) void run{}(void)", self.suffix),
        };
        let mut out = format!("{}\n{declarations}{head} {{\n{}", self.before, self.body);
        if self.program.twice {
            let _ = write!(out, "  for (int t = 0; t < 2; t++) {{\n{call}  }}\n");
        } else {
            out.push_str(call);
        }
        for (n, cells) in &self.show {
            let _ = write!(out, "  for (int i = 0; i < {n}; i++) {}", print(cells));
        }
        out.push_str(if alone { "  return 0;\n}\n" } else { "}\n" });
        out
    }

    fn whole(&self, call: &Entry, tag: &str, before: String) -> String {
        let (ret, definition) = result_type(&call.results, tag, self.suffix);
        let types = after(&call.types);
        let prototype = format!("{before}{definition}extern {ret} {}(void *{types}){};\n", call.name, self.weak());
        let text = format!("{}((void *){}{})", call.name, call.of, after(&call.args));
        self.run(&prototype, &printed(&call.results, &ret, &text))
    }

    fn split(&self, of: &str, ret: Option<Width>, types: Vec<String>, args: Vec<String>, results: &[Width]) -> String {
        let (result, definition) = result_type(results, "out", self.suffix);
        let (suffix, weak) = (self.suffix, self.weak());
        let (types, args) = (after(&types), after(&args));
        let seed = ret.map(|w| (format!(", {}", w.c()), format!(", {}", constant(0.75, w)))).unwrap_or_default();
        let prototypes = format!(
            "{definition}extern void *__enzyme_augmentfwd{suffix}_f(void *{types}){weak};\n\
             extern {result} __enzyme_reverse{suffix}_f(void *{types}{}, void *){weak};\n",
            seed.0
        );
        let forward = format!("  void *tape = __enzyme_augmentfwd{suffix}_f((void *){of}{args});\n");
        let reverse = format!("__enzyme_reverse{suffix}_f((void *){of}{args}{}, tape)", seed.1);
        self.run(&prototypes, &(forward + &printed(results, &result, &reverse)))
    }

    /// The inner call in a function of its own, and the outer call of that.
    fn nested(&mut self, inner: &Entry, reverse: bool) -> String {
        let suffix = self.suffix;
        let (ret, definition) = result_type(&inner.results, "in", suffix);
        let call = format!("{}((void *){}{})", inner.name, inner.of, after(&inner.args));
        let widest = inner.results.iter().max().copied();
        let returned = widest.map_or("void", Width::c);
        let mut text =
            format!("{definition}extern {ret} {}(void *{}){};\n", inner.name, after(&inner.types), self.weak());
        let params: Vec<String> = self.formals.iter().map(|f| format!("{} {}", f.ty, f.name)).collect();
        let _ = writeln!(text, "\nstatic {returned} e{suffix}({}) {{", params.join(", "));
        match inner.results.len() {
            0 => drop(writeln!(text, "  {call};")),
            1 => drop(writeln!(text, "  return {call};")),
            n => {
                let sum: Vec<String> = (0..n).map(|i| format!("r.o{i} * 0.{}", i + 2)).collect();
                let _ = writeln!(text, "  {ret} r = {call};\n  return {};", sum.join(" + "));
            }
        }
        text.push_str("}\n\n");
        let (mut types, mut args, mut outs) = (Vec::new(), Vec::new(), Vec::new());
        let formals = std::mem::take(&mut self.formals);
        for (n, formal) in formals.iter().enumerate() {
            let seed = 0x0da7 + n as u64 * 77;
            let (marker, shadow) = match &formal.active {
                None => (Activity::Const, None),
                Some(Active::Scalar(w)) if reverse => {
                    outs.push(*w);
                    (Activity::Out, None)
                }
                Some(Active::Scalar(w)) => (Activity::Dup, Some(constant(value(seed, 0), *w))),
                Some(Active::Memory(var)) => {
                    let name = format!("{}o", formal.actual);
                    self.memory(var, &name, Some(var.start ^ seed), true, false);
                    (Activity::Dup, Some(name))
                }
            };
            types.extend(["int".to_owned(), formal.ty.clone()]);
            args.extend([marker.c().to_owned(), formal.actual.clone()]);
            if let Some(shadow) = shadow {
                types.push(formal.ty.clone());
                args.push(shadow);
            }
        }
        if !reverse {
            outs.extend(widest);
        }
        let entry = if reverse { "__enzyme_autodiff" } else { "__enzyme_fwddiff" };
        let outer = Entry { name: format!("{entry}{suffix}_o"), of: format!("e{suffix}"), types, args, results: outs };
        self.whole(&outer, "out", text)
    }
}

/// The statements that make a call and print what it returns.
fn printed(results: &[Width], ret: &str, call: &str) -> String {
    match results.len() {
        0 => format!("  {call};\n"),
        1 => format!("  {ret} r = {call};\n  printf(\"%.17g\\n\", (double)r);\n"),
        n => {
            let mut out = format!("  {ret} r = {call};\n");
            for i in 0..n {
                let _ = writeln!(out, "  printf(\"%.17g\\n\", (double)r.o{i});");
            }
            out
        }
    }
}

fn result_type(results: &[Width], tag: &str, suffix: &str) -> (String, String) {
    match results {
        [] => ("void".to_owned(), String::new()),
        [one] => (one.c().to_owned(), String::new()),
        several => {
            let name = format!("struct {tag}{suffix}");
            let fields: Vec<String> = several.iter().enumerate().map(|(i, w)| format!("{} o{i};", w.c())).collect();
            let definition = format!("{name} {{ {} }};\n", fields.join(" "));
            (name, definition)
        }
    }
}

/// The numbers of a structure, of long arrays some, and its integers if wanted.
fn fields(it: &Struct, of: &str, integers: bool) -> Vec<String> {
    let mut all = Vec::new();
    for (i, field) in it.fields.iter().enumerate() {
        match field {
            Field::Float(_) => all.push(format!("{of}.m{i}")),
            Field::Int if integers => all.push(format!("{of}.m{i}")),
            Field::Int => {}
            Field::Array(_, n) => {
                let step = if *n > 16 { 31 } else { 1 };
                all.extend((0..*n).step_by(step).map(|j| format!("{of}.m{i}[{j}]")));
            }
        }
    }
    all
}

fn print(all: &[String]) -> String {
    if all.is_empty() {
        return ";\n".to_owned();
    }
    let format = vec!["%.17g"; all.len()].join(" ");
    let args: Vec<String> = all.iter().map(|a| format!("(double){a}")).collect();
    format!("printf(\"{format}\\n\", {});\n", args.join(", "))
}

/// What follows the first of a list: nothing if there is no more.
fn after(list: &[String]) -> String {
    list.iter().map(|item| format!(", {item}")).collect()
}
