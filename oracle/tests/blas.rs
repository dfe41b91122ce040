//! Every row of BLAS and LAPACK, by programs made from the table: each combination of flags, strides of either sign,
//! wide leading dimensions, factors zero and one, and empty matrices; in reverse and in forward mode, and in split mode
//! with every operand overwritten before the reverse; with everything active, with each operand alone, and with none
//! but what is written.

use adjudicate::{Input, check};
use rules::blas::{Kind, Routine, Spelling, Step, Term, is_lapack, rows};
use std::fmt::Write;
use std::path::PathBuf;
use tempfile::TempDir;

/// A parameter of the function that is differentiated.
struct Param {
    name: String,
    kind: Option<Kind>,
}

/// What is differentiated: the routine on the caller's memory, or on a copy of what it changes.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Direct,
    Local,
}

/// How it is called.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Reverse,
    Forward,
    Split,
}

struct Program<'a> {
    routine: &'a Routine,
    spelling: Spelling,
    text: String,
}

impl Program<'_> {
    fn real(&self) -> &'static str {
        if self.spelling.format == 'd' { "double" } else { "float" }
    }

    fn params(&self) -> Vec<Param> {
        let mut out = Vec::new();
        if self.spelling.cblas && self.routine.has_layout() {
            out.push(Param { name: "layout".to_owned(), kind: None });
        }
        for (name, kind) in self.routine.operands() {
            if kind != Kind::Info {
                out.push(Param { name: name.to_owned(), kind: Some(kind) });
            }
            if matches!(kind, Kind::Data(_)) {
                out.push(Param { name: format!("ld{name}"), kind: None });
            }
        }
        out
    }

    fn c_type(&self, kind: Option<Kind>) -> String {
        match kind {
            Some(kind) if kind.is_memory() => format!("{} *", self.real()),
            Some(Kind::Part | Kind::Storage) => "char ".to_owned(),
            Some(Kind::Scalar) => format!("{} ", self.real()),
            Some(kind) if kind.is_flag() && !self.spelling.cblas => "char ".to_owned(),
            _ => "int ".to_owned(),
        }
    }

    /// The routine's prototype and the functions that are differentiated.
    fn functions(&mut self) {
        let (real, name) = (self.real(), self.spelling.name(self.routine));
        let returns = if self.routine.returns() { real } else { "void" };
        let by_value = self.spelling.cblas;
        let declared = |p: &Param| match p.kind {
            Some(kind) if kind.is_memory() => self.c_type(p.kind),
            kind if by_value => self.c_type(kind),
            kind => format!("{}*", self.c_type(kind)),
        };
        let params = self.params();
        let mut prototype: Vec<String> = params.iter().map(declared).collect();
        let own: Vec<String> = params.iter().map(|p| format!("{}{}", self.c_type(p.kind), p.name)).collect();
        let passed = |p: &Param| match p.kind {
            Some(kind) if kind.is_memory() => p.name.clone(),
            _ if by_value => p.name.clone(),
            _ => format!("&{}", p.name),
        };
        let mut passed: Vec<String> = params.iter().map(passed).collect();
        let mut info = "";
        if self.routine.has_info() {
            prototype.push("int *".to_owned());
            passed.push("&info".to_owned());
            info = "int info; ";
        }
        let (own, passed) = (own.join(", "), passed.join(", "));
        let mut text = format!("struct two {{ {real} a, b; }} __enzyme_autodiff_two(void *, ...);\n");
        let _ = writeln!(text, "{returns} {name}({});", prototype.join(", "));
        let _ = writeln!(text, "{real} __enzyme_reverse(void *, ...);\nstruct two __enzyme_reverse_two(void *, ...);");
        let value = if self.routine.returns() { format!("{real} value;") } else { String::new() };
        let _ = writeln!(text, "struct ahead {{ void *tape; {value} }} __enzyme_augmentfwd(void *, ...);");
        let give = if self.routine.returns() { "return " } else { "" };
        let _ = writeln!(text, "static {returns} direct({own}) {{ {info}{give}{name}({passed}); }}");
        if self.routine.returns() {
            let _ = writeln!(text, "static {real} local({own}) {{ return {name}({passed}) * 1.5; }}");
        } else {
            // Later layers overwrite what the earlier ones read.
            let outputs = self.routine.outputs();
            let each = |text: &dyn Fn(&str) -> String| outputs.iter().map(|o| text(o)).collect::<Vec<_>>().join(" ");
            let declared = each(&|o| format!("{real} own_{o}[cap];"));
            let copied = each(&|o| format!("own_{o}[i] = {o}[i];"));
            let named = each(&|o| format!("{real} *{o} = own_{o};"));
            let summed = each(&|o| format!("sum += own_{o}[i] * (1 + i % 3);"));
            let _ = writeln!(
                text,
                "static {real} local({own}) {{ {real} sum = 0; {declared} for (int i = 0; i < cap; i++) {{ {copied} }} \
                 {{ {named} {info}{name}({passed}); }} for (int i = 0; i < cap; i++) {{ {summed} }} return sum; }}"
            );
        }
        self.text.push_str(&text);
    }

    /// A differentiated call with these operands active, of the program's memory.
    fn site(&self, way: Way, mode: Mode, active: impl Fn(&str) -> bool) -> String {
        let name = if way == Way::Direct { "direct" } else { "local" };
        let forward = mode == Mode::Forward;
        let numbers = self.params().iter().filter(|p| p.kind == Some(Kind::Scalar) && active(&p.name)).count();
        let call = match (mode, numbers) {
            (Mode::Forward, _) => "__enzyme_fwddiff",
            (Mode::Reverse, 2) => "__enzyme_autodiff_two",
            (Mode::Reverse, _) => "__enzyme_autodiff",
            (Mode::Split, 2) => "__enzyme_reverse_two",
            (Mode::Split, _) => "__enzyme_reverse",
        };
        let mut arguments = vec![format!("(void *){name}")];
        for p in self.params() {
            let name = &p.name;
            arguments.push(match p.kind {
                Some(kind) if kind.is_memory() && active(name) => format!("enzyme_dup, {name}, d{name}"),
                Some(Kind::Scalar) if active(name) && forward => {
                    format!("enzyme_dup, ({}){name}, ({})0.75", self.real(), self.real())
                }
                Some(Kind::Scalar) if active(name) => format!("enzyme_out, ({}){name}", self.real()),
                Some(Kind::Scalar) => format!("enzyme_const, ({}){name}", self.real()),
                _ => format!("enzyme_const, {name}"),
            });
        }
        let arguments = arguments.join(", ");
        if mode != Mode::Split {
            return format!("start(); {call}({arguments});");
        }
        let seed = if self.routine.returns() { format!("({})1.25, ", self.real()) } else { String::new() };
        format!(
            "start(); struct ahead ahead = __enzyme_augmentfwd({arguments}); spoil(); {call}({arguments}, \
             {seed}ahead.tape);"
        )
    }

    fn main(&mut self) {
        let routine = self.routine;
        let data: Vec<&str> = self.data().iter().map(|(name, _)| *name).collect();
        let mut text = String::new();
        let pointers: Vec<String> = data.iter().map(|d| format!("{d}[cap], d{d}[cap]")).collect();
        let _ = writeln!(text, "static {} {};", self.real(), pointers.join(", "));
        text.push_str("static void start(void) {\n  for (int i = 0; i < cap; i++) {\n");
        let mut spoilt = String::new();
        for (n, (name, kind)) in self.data().into_iter().enumerate() {
            // Diagonals that a triangle can be divided by, and definite matrices.
            let matrix = matches!(kind, Kind::Data(shape) if shape.is_matrix());
            let diagonal = if matrix { " + (i % (ld + 1) == 0 ? 2.5 : 0)" } else { "" };
            let value = format!("0.25 * ((5 * i + {n}) % 7) - 0.625{diagonal}");
            let _ = writeln!(text, "    {name}[i] = {value}; d{name}[i] = 0.125 * ((3 * i + {n}) % 5) - 0.25;");
            let _ = write!(spoilt, " {name}[i] = 17 - i;");
        }
        text.push_str("  }\n}\n");
        let _ = writeln!(text, "static void spoil(void) {{ for (int i = 0; i < cap; i++) {{{spoilt} }} }}");
        text.push_str("static void run(int number, int layout, int f0, int f1, int f2, int f3, int letter) {\n");
        text.push_str(
            "  const struct test t_ = tests[number];\n  int m = t_.m, n = t_.n, k = t_.k;\n  \
             double alpha = t_.alpha, beta = t_.beta;\n",
        );
        text.push_str("  double c = alpha, s = beta, from = alpha == 0 ? 2 : alpha, to = beta;\n");
        text.push_str(
            "  (void)m, (void)n, (void)k, (void)alpha, (void)beta, (void)layout, (void)c, (void)s, (void)from, \
             (void)to;\n",
        );
        let letters = self.letters();
        for (name, kind) in routine.operands() {
            if matches!(kind, Kind::Part | Kind::Storage) {
                let _ = writeln!(text, "  char {name} = \"{letters}\"[letter];");
            }
            if kind == Kind::Storage {
                // Bands have a diagonal on either side where there is room; halves of them are square.
                let _ = writeln!(text, "  if ({name} == 'b' || {name} == 'Q') m = n;");
                text.push_str("  int kl = m > 1 ? 1 : 0, ku = n > 1 ? 1 : 0;\n");
            }
        }
        let mut flags = 0;
        for (name, kind) in routine.operands() {
            if kind.is_flag() {
                let (numbers, letters) = spelled(kind);
                let [clear, set] = match self.spelling.cblas {
                    true => numbers.map(|n| n.to_string()),
                    false => letters.map(|c| format!("'{c}'")),
                };
                let ty = if self.spelling.cblas { "int" } else { "char" };
                let _ = writeln!(text, "  {ty} {name} = f{flags} ? {set} : {clear};");
                flags += 1;
            }
        }
        text.push_str("  (void)f0, (void)f1, (void)f2, (void)f3, (void)letter;\n");
        for (name, kind) in self.data() {
            let Kind::Data(shape) = kind else { continue };
            let stride = if shape.is_matrix() { "ld" } else { "t_.inc" };
            let _ = writeln!(text, "  int ld{name} = {stride};");
        }
        // At a factor of zero that is active, a routine that skips work has a kink.
        let all = |_: &str| true;
        let fixed = |name: &str| !matches!(name, "alpha" | "beta");
        let _ = writeln!(text, "  if (t_.alpha != 0 && t_.beta != 0) {{");
        for (way, mode) in [(Way::Direct, Mode::Reverse), (Way::Direct, Mode::Forward), (Way::Local, Mode::Reverse)] {
            let _ = writeln!(text, "    {}", self.site(way, mode, all));
        }
        text.push_str("  }\n");
        let _ = writeln!(text, "  {}", self.site(Way::Direct, Mode::Reverse, fixed));
        let _ = writeln!(text, "  if (number) return;");
        let _ = writeln!(text, "  {{ {} }}", self.site(Way::Direct, Mode::Split, all));
        let outputs = routine.outputs();
        let others: Vec<&str> = data.iter().copied().filter(|d| !outputs.contains(d)).collect();
        for alone in &others {
            let active = |name: &str| name == *alone || outputs.contains(&name);
            let _ = writeln!(text, "  {}", self.site(Way::Direct, Mode::Reverse, active));
            let _ = writeln!(text, "  {}", self.site(Way::Local, Mode::Forward, |name| name == *alone));
        }
        // What is overwritten with constants.
        if outputs.iter().any(|o| data.contains(o)) && !others.is_empty() {
            let _ = writeln!(text, "  {}", self.site(Way::Direct, Mode::Reverse, |name| outputs.contains(&name)));
        }
        text.push_str("}\nint main(void) {\n  int turn = 0;\n");
        let layouts = if self.spelling.cblas && routine.has_layout() { 2 } else { 1 };
        let _ = writeln!(
            text,
            "  for (int l = 0; l < {layouts}; l++)\n  for (int f = 0; f < {}; f++)\n  for (int q = 0; q < {}; q++) {{",
            1 << flags,
            letters.len().max(1)
        );
        text.push_str(
            "    int layout = l ? 101 : 102;\n    run(0, layout, f & 1, f >> 1 & 1, f >> 2 & 1, f >> 3 & 1, q);\n    \
             run(1 + turn++ % 6, layout, f & 1, f >> 1 & 1, f >> 2 & 1, f >> 3 & 1, q);\n  }\n",
        );
        if layouts << flags < 8 {
            text.push_str("  for (int c = 0; c < 7; c++) run(c, 101, 0, 0, 0, 0, 0);\n");
        }
        text.push_str("  return 0;\n}\n");
        self.text.push_str(&text);
    }

    fn data(&self) -> Vec<(&'static str, Kind)> {
        self.routine.operands().into_iter().filter(|(_, kind)| kind.is_memory()).collect()
    }

    /// What a letter can be.
    fn letters(&self) -> &'static str {
        match self.routine.operands()[0].1 {
            Kind::Part => "GuL",
            Kind::Storage => "GlUHbQZ",
            _ => "",
        }
    }
}

/// Values of a flag that is not set and of one that is: CBLAS's and Fortran's.
fn spelled(kind: Kind) -> ([u32; 2], [char; 2]) {
    match kind {
        Kind::Transposed => ([111, 112], ['n', 'T']),
        Kind::Lower => ([121, 122], ['U', 'l']),
        Kind::Right => ([141, 142], ['L', 'r']),
        _ => ([131, 132], ['N', 'u']),
    }
}

const HEAD: &str = r#"
#include "adj.h"
enum { ld = 5, cap = 24 };
struct test { int m, n, k, inc; double alpha, beta; };
static const struct test tests[] = {
  {3, 2, 4, 1, 0.75, -0.5}, {2, 3, 1, -2, 1, 1}, {1, 1, 2, 2, 0.5, 0}, {0, 2, 3, 1, 2, 0.5},
  {3, 0, 2, 1, 2, 0.5}, {3, 4, 0, -1, 0.5, 0.25}, {2, 2, 3, 2, 0, 0.5},
};
"#;

fn program(routine: &Routine, spelling: Spelling) -> String {
    let mut program = Program { routine, spelling, text: HEAD.to_owned() };
    program.functions();
    program.main();
    program.text
}

/// A source file in a folder that lives as long as the first value.
fn source(text: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("program.c");
    std::fs::write(&path, text).expect("written");
    (folder, path)
}

fn all_correct(spelling: Spelling) {
    let only = std::env::var("ADJ_BLAS_ROW").ok();
    let mut wrong = Vec::new();
    let spelled = |r: &&Routine| !(spelling.cblas && is_lapack(r));
    for routine in rows().filter(spelled).filter(|r| only.as_deref().is_none_or(|name| name == r.name)) {
        let text = program(routine, spelling);
        let (_folder, path) = source(&text);
        let report = match check(&path).levels(["O2"]).run() {
            Ok(report) => report,
            Err(error) => {
                wrong.push(format!("{}: {error}\n{text}", spelling.name(routine)));
                continue;
            }
        };
        let gradients = &report.levels[0].gradients;
        let unjudged = gradients.iter().filter(|g| g.judged == 0).count();
        if report.levels[0].verdict() != adjudicate::Verdict::Correct || unjudged > 0 || gradients.len() < 4 {
            wrong.push(format!("{} ({unjudged} not judged)\n{report}\n{text}", spelling.name(routine)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn rows_are_right_in_cblas() {
    all_correct(Spelling { cblas: true, format: 'd' });
}

#[test]
fn rows_are_right_in_fortran() {
    all_correct(Spelling { cblas: false, format: 's' });
}

#[test]
fn derivatives_call_what_the_rows_say() {
    for routine in rows() {
        let spelling = Spelling { cblas: !is_lapack(routine), format: 'd' };
        let (_folder, path) = source(&program(routine, spelling));
        let text = adjudicate::tools::opt(&Input::File(path), &adjudicate::tools::OptOptions::default())
            .expect("differentiated");
        for (start, terms) in [("@__adj_reverse_", routine.adjoints), ("@__adj_dual_", routine.tangents)] {
            let name = format!("{start}{}", spelling.name(routine));
            let bodies: Vec<&str> =
                text.split("\ndefine ").filter(|f| f.lines().next().unwrap_or("").contains(&name)).collect();
            assert!(!bodies.is_empty(), "{name} is not there");
            for callee in terms.iter().flat_map(Term::steps).filter_map(|s: Step| s.callee()) {
                let call = format!("@{}(", spelling.name(callee));
                assert!(bodies.iter().any(|body| body.contains(&call)), "{name} does not call {call}");
            }
        }
    }
}
