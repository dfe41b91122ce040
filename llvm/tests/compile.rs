//! From source to canonical text.

use std::path::PathBuf;

use llvm::{CompileOptions, Error, Input, Language, Level, canonical_text, compile, pipeline, to_ir_text};

const SQUARE: &str = "double square(double x) { double y = x * x; return y; }\n";

fn source(language: Language, text: &str) -> Input {
    Input::Bytes { name: "prog".into(), language, bytes: text.into() }
}

fn text_at(level: Level, text: &str) -> String {
    compile(&source(Language::C, text), &CompileOptions::at(level)).unwrap().text
}

#[test]
fn canonical_text_is_a_fixed_point_at_every_level() {
    for level in Level::ALL {
        let text = text_at(level, SQUARE);
        assert!(text.contains("@square(double") && text.contains("!DISubprogram"), "{text}");
        assert!(!text.contains("ModuleID"));
        assert_eq!(canonical_text(text.as_bytes()).unwrap(), text, "{level}");
    }
}

#[test]
fn unoptimised_code_is_open_to_passes_and_keeps_names() {
    let text = text_at(Level::O0, SQUARE);
    assert!(text.contains("%x.addr = alloca double") && !text.contains("optnone"), "{text}");
    assert!(!pipeline::run(&text, "function(sroa)").unwrap().contains("alloca"));
}

#[test]
fn levels_optimise() {
    assert!(!text_at(Level::O2, SQUARE).contains("alloca"));
}

#[test]
fn differentiated_functions_stay() {
    let program = "static double f(double x) { return x * x; }\n\
                   double __enzyme_autodiff(void *, double);\n\
                   double df(double x) { return f(x) + __enzyme_autodiff((void *)f, x); }\n";
    for level in Level::ALL {
        let text = text_at(level, program);
        let definition = text.lines().find(|line| line.starts_with("define internal") && line.contains(" @f(double"));
        assert!(definition.is_some(), "{level}: {text}");
        assert!(text.contains("@__enzyme_autodiff(ptr noundef nonnull @f,") || level == Level::O0, "{level}: {text}");
    }
}

#[test]
fn files_include_dirs_flags_and_warnings() {
    let folder = tempfile::tempdir().unwrap();
    let include = folder.path().join("include");
    std::fs::create_dir(&include).unwrap();
    std::fs::write(include.join("here.h"), "#define VALUE 42\n").unwrap();
    let path = folder.path().join("a.cpp");
    std::fs::write(&path, "#include \"here.h\"\nint f(int unused) { return VALUE + EXTRA; }\n").unwrap();
    let options = CompileOptions {
        include_dirs: vec![include],
        flags: vec!["-DEXTRA=1".into(), "-Wextra".into(), "-Wunused-parameter".into()],
        debug: false,
        ..CompileOptions::at(Level::O1)
    };
    let compiled = compile(&Input::File(path.clone()), &options).unwrap();
    assert!(compiled.text.contains("ret i32 43"), "{}", compiled.text);
    assert!(!compiled.text.contains("DISubprogram"));
    assert!(compiled.diagnostics.contains("a.cpp:2:11: warning:"), "{}", compiled.diagnostics);
    assert!(matches!(to_ir_text(&path, &CompileOptions::default()), Err(Error::Compile { .. })));
}

#[test]
fn ir_is_taken_as_it_is_unless_asked() {
    let text = text_at(Level::O0, SQUARE);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ll");
    std::fs::write(&path, &text).unwrap();
    let options = CompileOptions::at(Level::O2);
    assert_eq!(to_ir_text(&path, &options).unwrap(), text);
    let optimised = to_ir_text(&path, &CompileOptions { optimize: true, ..options }).unwrap();
    assert!(!optimised.contains("alloca"), "{optimised}");
}

#[test]
fn dropped_debug_information_is_not_silent() {
    let text = "define void @f() !dbg !1 {\n  ret void\n}\n!1 = distinct !DISubprogram(name: \"f\")\n";
    let input = source(Language::Ir, text);
    let compiled = compile(&input, &CompileOptions::default()).unwrap();
    assert!(compiled.diagnostics.contains("debug"), "{compiled:?}");
}

#[test]
fn loops_are_brought_into_form() {
    let program =
        "double f(double *x, int n) { double s = 0; int i = 0; while (i < n && x[i] > 0) s += x[i++]; return s; }\n";
    let text = text_at(Level::O1, program);
    let formed = pipeline::run(&text, pipeline::LOOP_FORM).unwrap();
    assert!(formed.contains(".lcssa = phi"), "{formed}");
    assert_eq!(pipeline::run(&formed, pipeline::LOOP_FORM).unwrap(), formed);
}

#[test]
fn fortran_is_read_where_its_compiler_is() {
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join("a.f90");
    std::fs::write(&path, "subroutine f(x)\n  real(8) :: x\n  x = x * x\nend subroutine\n").unwrap();
    match (llvm::find::flang(), to_ir_text(&path, &CompileOptions::default())) {
        (Ok(_), Ok(text)) => assert!(text.contains("fmul"), "{text}"),
        (Err(_), Err(Error::ToolMissing { tool, .. })) => assert_eq!(tool, "flang-new"),
        (found, result) => panic!("{found:?}: {result:?}"),
    }
}

/// An identity whose rule is not that of an identity: if a pass sees through it, the rule is lost.
const REGISTERED: &str = "
static double same(double x) { return x; }
static double augmented(double x) { return x; }
static double reverse(double x, double d) { return 0.5 * d; }
void *__enzyme_register_gradient_same[3] = {(void *)same, (void *)augmented, (void *)reverse};
__attribute__((always_inline, annotate(\"enzyme_inactive\"))) inline double count(double x) { return 2.0 * x; }
__attribute__((enzyme_function_like(\"log1p\"))) static double my_log1p(double x) { return x - 0.5 * x * x; }
double f(double x) { return same(x) + count(x) + my_log1p(x); }
";

#[test]
fn functions_with_rules_are_called_at_every_level() {
    for level in Level::ALL {
        let text = text_at(level, REGISTERED);
        let body = text.split("@f(double").nth(1).and_then(|t| t.split("\n}").next()).unwrap();
        for name in ["@same(", "@count(", "@my_log1p("] {
            assert!(body.contains(name), "{name} at {level}: {body}");
        }
        assert!(text.contains("define internal") && !text.contains("define weak"), "{text}");
    }
}

#[test]
fn functions_without_rules_are_inlined() {
    let text = text_at(Level::O2, "static double same(double x) { return x; } double f(double x) { return same(x); }");
    assert!(!text.contains("call double @same"), "{text}");
}
