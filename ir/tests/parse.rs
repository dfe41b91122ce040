//! Refusals of the reader: the message, the place, and no panic on any damaged text.

use ir::{ConstKind, parse};

/// Expects that the text is refused at that line with a message that contains `message`.
fn refused(text: &str, line: u32, message: &str) {
    let error = parse(text, "test").expect_err(message);
    assert!(error.message.contains(message), "`{error}` does not contain `{message}`");
    assert_eq!(error.line, line, "{error}");
}

/// The same for an instruction of a function.
fn refused_inst(inst: &str, message: &str) {
    let text = format!("define void @f(i32 %n, ptr %p, double %x) {{\n  {inst}\n  ret void\n}}\n");
    let error = parse(&text, "test").expect_err(message);
    assert!(error.message.contains(message), "{inst}: `{error}` does not contain `{message}`");
    assert_eq!((error.line, error.function.as_deref()), (2, Some("f")), "{inst}: {error}");
}

#[test]
fn unsupported() {
    refused("module asm \"nop\"\n", 1, "module-level inline assembly");
    refused("\n@f = ifunc i32 (i32), ptr @g\n@g = global i32 0\n", 2, "`ifunc`");
    refused("@x = global i129 0\n", 1, "wider than 128 bits");
    refused("@x = global ppc_fp128 zeroinitializer\n", 1, "ppc_fp128");
    refused("declare <vscale x 2 x double> @f()\n", 1, "scalable vectors");
    refused("declare void @f(target(\"spirv.Image\"))\n", 1, "target extension types");
    refused("define void @f() prefix i32 1 {\n  ret void\n}\n", 1, "`prefix`");
    refused("^0 = module: (path: \"x\")\n", 1, "module summary");
    refused_inst("%l = catchswitch within none [label %h] unwind to caller", "`catchswitch`");
    refused_inst("%c = cleanuppad within none []", "`cleanuppad`");
    refused_inst("callbr void asm \"\", \"!i\"() to label %a [label %b]", "`callbr`");
    refused_inst("%e = alloca swifterror ptr, align 8", "swifterror");
    refused_inst("%b = select i1 true, ptr dso_local_equivalent @f, ptr null", "dso_local_equivalent");
}

#[test]
fn mistakes() {
    refused("what is this\n", 1, "expected a top-level entity");
    refused("@x = global i32 0\n stray words\n@y = global i32 0\n", 2, "expected a top-level entity");
    refused("@x = global i32 0\n@x = global i32 1\n", 2, "defined twice");
    refused("@x = global i8 256\n", 1, "does not fit in i8");
    refused("@x = global [2 x i32] [i32 1]\n", 1, "does not have the type");
    refused("@x = global float 1.0e-01\n", 1, "not exact");
    refused("@x = global %missing zeroinitializer\n", 1, "`%missing` is not defined");
    refused("@x = global ptr blockaddress(@f, %b)\ndeclare void @f()\n", 1, "a block that is not defined");
    refused("@x = global ptr @missing\n", 1, "`@missing` is not defined");
    refused("!0 = !{!1}\n", 1, "!1 is not defined");
    refused("declare void @f() #0\n", 1, "#0 is not defined");
    refused("declare void @f(ptr nonsense)\n", 1, "expected");
    refused("target datalayout = \"e-q9\"\n", 1, "q9");
    refused("define void @f() {\n  ret void\n", 3, "expected");
    refused("define void @f() {\n  %x = add i32 1, 2\n}\n", 3, "no terminator");
    refused_inst("%y = frobnicate i32 %n", "expected an instruction");
    refused_inst("%y = add i32 %n, %missing", "not defined");
    refused_inst("br label %missing", "not defined");
    refused_inst("%y = add i64 %n, 1", "has type i32 but is used as i64");
    refused_inst("%n = add i32 %n, 1", "defined twice");
    refused_inst("%y = add i32 %n, 1, !mine !7", "!7 is not defined");
    refused_inst("%y = load i32, ptr %p, align 3", "power of two");
    refused_inst("%y = extractvalue { i32, i32 } undef, 2", "no element");
    refused_inst("%y = icmp samesign ult i32 %n, 1", "expected a predicate");
    refused_inst("%y = store i32 %n, ptr %p, align 4", "has a name");
}

/// With debug information, the error names the source line.
#[test]
fn source_lines() {
    let text = r#"
define void @f(ptr %p) !dbg !2 {
  %x = load i32, ptr %p, align 4, !dbg !3
  %c = cleanuppad within none [], !dbg !4
  ret void
}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "f.c", directory: "/src")
!2 = distinct !DISubprogram(name: "f", file: !1, line: 1, scope: !1, unit: !0)
!3 = !DILocation(line: 7, column: 3, scope: !2)
!4 = !DILocation(line: 8, column: 5, scope: !2)
"#;
    let error = parse(text, "test").unwrap_err();
    let wanted = "/src/f.c:8:5: unsupported: the instruction `cleanuppad` is not supported, in function `f` (line 4, \
        column 8 of the IR)";
    assert_eq!(error.to_string(), wanted);
}

/// So does one in a global variable.
#[test]
fn source_line_of_global() {
    let text = r#"
@t = internal global ptr no_cfi @f, align 8, !dbg !0
declare void @f()
!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "t", file: !2, line: 4, scope: null)
!2 = !DIFile(filename: "f.c", directory: "/src")
"#;
    let error = parse(text, "test").unwrap_err();
    assert!(error.to_string().starts_with("/src/f.c:4:0: unsupported: the constant `no_cfi`"), "{error}");
}

/// Nesting that would overflow the stack of a naive parser.
#[test]
fn deep_nesting() {
    let deep = |open: &str, n: usize| open.repeat(n);
    refused(&format!("@x = global {}\n", deep("[1 x ", 100_000)), 1, "nesting");
    refused(&format!("!0 = !{{{}\n", deep("!{", 100_000)), 1, "nesting");
    refused(&format!("@x = global i64 {}\n", deep("add (i64 ", 100_000)), 1, "nesting");
}

/// Hand-written forms that LLVM accepts although it prints others.
#[test]
fn relaxed_forms() {
    let text = "
        @v = global <2 x double> splat (double 1.5)
        @h = global half 1.0
        define i32 @f(i32, i32 %b) nounwind align 16 { %r = add i32 %0, %b ret i32 %r }
        define double @g(double) {
          fadd double %0, 1.0
          call double @g(double %2) nounwind
          ret double %3
        }
    ";
    let module = parse(text, "test").unwrap();
    ir::verify(&module).unwrap();
    let half = module.globals[module.global("h").unwrap()].init.unwrap();
    assert_eq!(module.constants.get(half).kind, ConstKind::Float(0x3c00));
    let again = parse(&module.to_string(), "test").unwrap();
    assert_eq!(module.to_string(), again.to_string());
}

/// Cuts and replacements of a real module never make the reader, the verifier or the printer panic, and a text
/// that is still accepted is printed as a fixed point.
#[test]
fn damaged_text() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ll/instructions.ll")).unwrap();
    let tokens =
        ["i32", "ptr", "%0", "@0", "(", ")", "{", "}", ",", "=", "!0", "\"", "-1", "1.0", "label", "x", "<", ";", "é"];
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    let mut below = |n: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random % n as u64) as usize
    };
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..3000 {
        let (mut at, mut end) = (below(text.len()), below(text.len()));
        // Mostly small edits, sometimes the whole rest.
        end = if below(10) == 0 { end.max(at) } else { (at + below(12)).min(text.len()) };
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        while !text.is_char_boundary(end) {
            end += 1;
        }
        let damaged = format!("{}{}{}", &text[..at], tokens[below(tokens.len())], &text[end.max(at)..]);
        match parse(&damaged, "damaged") {
            Err(_) => refused += 1,
            Ok(module) => {
                accepted += 1;
                // Texts that LLVM would refuse may be accepted here; the verifier sees the rest.
                if ir::verify(&module).is_ok() {
                    let printed = module.to_string();
                    let again = parse(&printed, "damaged").unwrap_or_else(|e| panic!("{e}\n{printed}"));
                    assert_eq!(printed, again.to_string());
                }
            }
        }
    }
    assert!(accepted > 50 && refused > 500, "{accepted} accepted, {refused} refused");
}

/// Reading is fast enough that nobody waits for it: 20 MB/s and more when optimised; the bound here leaves room
/// for slow test machines.
#[test]
fn speed() {
    let mut text = String::new();
    for i in 0..2000 {
        text += &format!("define double @f{i}(double %x, i32 %n, ptr %p) {{\nentry:\n  br label %loop\n\nloop:\n");
        text += "  %i = phi i32 [ 0, %entry ], [ %next, %loop ]\n  %s = phi double [ %x, %entry ], [ %t, %loop ]\n";
        text += "  %q = getelementptr inbounds double, ptr %p, i32 %i\n  %v = load double, ptr %q, align 8\n";
        text += "  %t = call double @llvm.fmuladd.f64(double %s, double %v, double 1.000000e+00)\n";
        text += "  %next = add nuw nsw i32 %i, 1\n  %done = icmp eq i32 %next, %n\n";
        text += "  br i1 %done, label %out, label %loop\n\nout:\n  ret double %t\n}\n\n";
    }
    text += "declare double @llvm.fmuladd.f64(double, double, double)\n";
    let start = std::time::Instant::now();
    let module = parse(&text, "speed").unwrap();
    let rate = text.len() as f64 / start.elapsed().as_secs_f64() / 1e6;
    assert_eq!(module.functions.len(), 2001);
    println!("{rate:.1} MB/s");
    assert!(rate > 2.0, "{rate:.1} MB/s");
}
