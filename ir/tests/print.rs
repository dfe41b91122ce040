//! What reports print: single instructions, functions, origins, and names that need care.

use ir::print::{FunctionPrinter, PrintOptions, print_function_with, print_module_with};
use ir::*;

const TEXT: &str = r#"
define double @f(double %x, ptr nocapture %p) #0 !dbg !2 {
  %1 = fmul fast double %x, 3.0, !dbg !3
  call void @g(double %1) #0, !dbg !3
  switch i32 1, label %2 [
    i32 0, label %2
  ]

2:
  store double %1, ptr %p, align 8, !dbg !3
  ret double %1
}

declare void @g(double)

attributes #0 = { nounwind }
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "f.c", directory: "/src")
!2 = distinct !DISubprogram(name: "f", file: !1, line: 1, scope: !1, unit: !0)
!3 = !DILocation(line: 7, column: 3, scope: !2)
"#;

#[test]
fn one_instruction() {
    let module = parse(TEXT, "test").unwrap();
    let func = &module.functions[module.function("f").unwrap()];
    let lines: Vec<String> = func.inst_order().map(|(_, i)| print_inst(&module, func, i)).collect();
    let wanted = [
        "%1 = fmul fast double %x, 3.000000e+00",
        "call void @g(double %1)",
        "switch i32 1, label %2 [ i32 0, label %2 ]",
        "store double %1, ptr %p, align 8",
        "ret double %1",
    ];
    assert_eq!(lines, wanted);
    let printer = FunctionPrinter::new(&module, func);
    assert_eq!(printer.operand(func.param(0)), "double %x");
    assert_eq!(printer.block(func.layout[1]), "%2");
}

#[test]
fn one_function() {
    let module = parse(TEXT, "test").unwrap();
    let func = &module.functions[module.function("f").unwrap()];
    let brief = print_function(&module, func);
    assert!(brief.starts_with("define double @f(double %x, ptr nocapture %p) {\n  %1 = fmul"), "{brief}");
    assert!(!brief.contains("!dbg") && !brief.contains('#'), "{brief}");
    let full = print_function_with(&module, func, PrintOptions::FULL);
    assert!(full.contains("#0 !dbg !2 {") && full.contains("ret double %1\n"), "{full}");
    // A module without attributes and metadata is still one.
    let again = parse(&print_module_with(&module, PrintOptions::BRIEF), "test").unwrap();
    verify(&again).unwrap();
}

#[test]
fn origins() {
    let mut module = parse(TEXT, "test").unwrap();
    let id = module.function("f").unwrap();
    let primal = &module.functions[id];
    let (fmul, store) = (primal.blocks[primal.entry()].insts[0], primal.blocks[primal.layout[1]].insts[0]);
    let mut gradient = primal.clone();
    gradient.name = "diffe.f".to_owned();
    gradient.insts[fmul].origin = Some(Origin { func: id, inst: fmul, role: Role::Adjoint });
    gradient.insts[store].origin = Some(Origin { func: id, inst: store, role: Role::Clone });
    let gradient = module.functions.push(gradient);
    let options = PrintOptions { origins: true, ..PrintOptions::BRIEF };
    let text = print_function_with(&module, &module.functions[gradient], options);
    assert!(text.contains("3.000000e+00  ; adjoint of %1 in @f, /src/f.c:7:3\n"), "{text}");
    assert!(text.contains("align 8  ; clone of store double %1, ptr %p, align 8 in @f, /src/f.c:7:3\n"), "{text}");
    // Comments do not change what is read.
    let options = PrintOptions { origins: true, ..PrintOptions::FULL };
    assert_eq!(parse(&print_module_with(&module, options), "test").unwrap().to_string(), module.to_string());
}

/// Names that occur twice, and names that need quotes.
#[test]
fn names() {
    let mut module = Module::default();
    let f64 = module.types.float(FloatKind::Double);
    let mut func = Function::new("odd \"name\"", f64, &[f64]);
    func.values[func.params[0].value].name = "x".to_owned();
    let mut value = func.param(0);
    let block = func.add_block("x");
    for name in ["x", "x", "1", "a b\n", ""] {
        let kind = InstKind::FNeg { fast: FastMath::default(), value };
        let inst = func.append(block, Inst::new(kind, f64), true);
        let result = func.insts[inst].result.unwrap();
        func.values[result].name = name.to_owned();
        value = Operand::Local(result);
    }
    let void = module.types.void();
    func.append(block, Inst::new(InstKind::Ret(Some(value)), void), false);
    module.functions.push(func);
    verify(&module).unwrap();
    let text = module.to_string();
    for wanted in
        ["@\"odd \\22name\\22\"(double %x)", "x.1:", "%x.2 = fneg", "%x.3 = fneg", "%\"1\" =", "%\"a b\\0A\"", "%0 ="]
    {
        assert!(text.contains(wanted), "{wanted} in {text}");
    }
    assert_eq!(parse(&text, "").unwrap().to_string(), text);
}
