//! The verifier refuses one broken module for each of its numbered checks, with the right message and place,
//! and accepts the module before it was broken.

use ir::*;

/// A module with functions of several shapes; each test breaks it in one way.
const TEXT: &str = r#"
%pair = type { i32, double }
@g = global i32 1, align 4
@a = alias i32, ptr @g
declare i32 @personality(...)
declare void @callee(i32, double)
declare i32 @printf(ptr, ...)

define i32 @f(i32 %n, double %x, ptr %p, <4 x float> %v, %pair %s) !dbg !4 {
entry:
  %slot = alloca i32, align 4
  %sum = add nsw i32 %n, 1, !dbg !6
  %y = fadd fast double %x, 1.0
  %wide = sext i32 %sum to i64
  %cmp = icmp slt i32 %sum, %n
  %lane = extractelement <4 x float> %v, i32 0
  %shuffle = shufflevector <4 x float> %v, <4 x float> %v, <2 x i32> <i32 0, i32 7>
  %field = extractvalue %pair %s, 1
  %old = atomicrmw add ptr %p, i32 1 seq_cst, align 4
  %loaded = load i32, ptr %p, align 4
  store i32 %loaded, ptr %slot, align 4
  %gep = getelementptr inbounds %pair, ptr %p, i64 1, i32 1
  call void @callee(i32 %n, double %x)
  br i1 %cmp, label %loop, label %other
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  switch i32 %i, label %loop [
    i32 5, label %other
  ]
other:
  %merged = phi i32 [ %sum, %entry ], [ %i, %loop ]
  %picked = select i1 %cmp, i32 %merged, i32 %n
  ret i32 %picked
}

define void @returns_struct(ptr sret(%pair) %out, ptr byval(%pair) %in) {
  ret void
}

define i32 @unwinds(ptr %f) personality ptr @personality {
  %r = invoke i32 %f()
          to label %normal unwind label %pad
normal:
  ret i32 %r
pad:
  %l = landingpad { ptr, i32 }
          cleanup
  resume { ptr, i32 } %l
}

define i32 @tail(i32 %n) {
  %r = musttail call i32 @tail(i32 %n)
  ret i32 %r
}

!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!1}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_C11, file: !2, emissionKind: FullDebug)
!2 = !DIFile(filename: "f.c", directory: "/src")
!3 = !DISubroutineType(types: !5)
!4 = distinct !DISubprogram(name: "f", scope: !2, file: !2, line: 1, type: !3, unit: !1, spFlags: DISPFlagDefinition)
!5 = !{}
!6 = !DILocation(line: 7, column: 3, scope: !4)
"#;

fn good() -> Module {
    let module = parse(TEXT, "test").unwrap();
    assert_eq!(verify(&module), Ok(()));
    module
}

/// Breaks the module and expects an error that contains `message`.
fn broken(message: &str, breaks: impl FnOnce(&mut Module)) -> VerifyError {
    let mut module = good();
    breaks(&mut module);
    let errors = verify(&module).expect_err(message);
    let found = errors.iter().find(|e| e.message.contains(message));
    found.unwrap_or_else(|| panic!("no error contains `{message}`: {errors:#?}")).clone()
}

/// Breaks the function `f`.
fn broken_f(message: &str, breaks: impl FnOnce(&mut Function)) -> VerifyError {
    broken(message, |m| breaks(function(m, "f")))
}

fn function<'m>(module: &'m mut Module, name: &str) -> &'m mut Function {
    let id = module.function(name).unwrap();
    &mut module.functions[id]
}

fn value(func: &Function, name: &str) -> ValueId {
    func.values.iter().find(|(_, v)| v.name == name).unwrap_or_else(|| panic!("%{name}")).0
}

fn local(func: &Function, name: &str) -> Operand {
    Operand::Local(value(func, name))
}

fn inst_id(func: &Function, name: &str) -> InstId {
    func.def_inst(value(func, name)).unwrap()
}

fn kind<'f>(func: &'f mut Function, name: &str) -> &'f mut InstKind {
    let id = inst_id(func, name);
    &mut func.insts[id].kind
}

/// The first instruction that the predicate accepts.
fn find(func: &Function, wanted: impl Fn(&InstKind) -> bool) -> InstId {
    func.inst_order().find(|(_, i)| wanted(&func.insts[*i].kind)).unwrap().1
}

#[test]
fn check_1_identities() {
    use ir::entity::EntityRef;
    let wild = ValueId::new(9999);
    broken_f("does not exist", |f| {
        if let InstKind::Binary { lhs, .. } = kind(f, "sum") {
            *lhs = Operand::Local(wild);
        }
    });
    broken_f("does not exist", |f| {
        let br = find(f, |k| matches!(k, InstKind::CondBr { .. }));
        f.insts[br].kind.map_successors(|_| BlockId::new(77));
    });
    broken_f("the return type", |f| f.ret = TypeId::new(9999));
    broken_f("metadata node", |f| {
        let id = inst_id(f, "sum");
        f.insts[id].loc = Some(MdId::new(9999));
    });
    broken("fit", |m| {
        let (i8, pair) = (m.types.int(8), m.types.int(16));
        m.constants.intern(i8, ConstKind::Int(256));
        m.constants.intern(pair, ConstKind::Bytes(vec![1]));
    });
    broken("does not exist", |m| {
        let ptr = m.types.ptr();
        m.constants.intern(ptr, ConstKind::Global(GlobalId::new(99)));
    });
}

#[test]
fn check_2_blocks() {
    broken_f("does not end with a terminator", |f| {
        f.blocks[f.layout[1]].insts.pop();
    });
    broken_f("a terminator inside a block", |f| {
        let ret = *f.blocks[f.layout[2]].insts.last().unwrap();
        let copy = f.insts[ret].clone();
        let copy = f.create_inst(copy, false);
        f.blocks[f.layout[2]].insts.insert(1, copy);
    });
    broken_f("stands in the function twice", |f| {
        let sum = inst_id(f, "sum");
        f.blocks[f.layout[0]].insts.insert(3, sum);
    });
}

#[test]
fn check_3_results() {
    broken_f("has no result", |f| {
        let id = inst_id(f, "y");
        f.insts[id].result = None;
    });
    broken_f("another definition", |f| {
        let (y, x) = (inst_id(f, "y"), value(f, "x"));
        f.insts[y].result = Some(x);
    });
    broken_f("the result has type", |f| {
        let (y, ty) = (value(f, "y"), f.ret);
        f.values[y].ty = ty;
    });
}

#[test]
fn check_4_entry() {
    broken_f("the entry block has a predecessor", |f| {
        let (last, entry) = (*f.layout.last().unwrap(), f.entry());
        let ret = *f.blocks[last].insts.last().unwrap();
        f.insts[ret].kind = InstKind::Br(entry);
    });
    broken_f("parameter", |f| {
        let x = f.params[1].value;
        f.params[0].value = x;
    });
}

#[test]
fn check_5_phis() {
    let error = broken_f("the phi names %entry but the predecessors are %entry, %loop", |f| {
        if let InstKind::Phi { incoming, .. } = kind(f, "merged") {
            incoming.pop();
        }
    });
    assert_eq!(error.block.as_deref(), Some("%other"));
    assert_eq!(error.inst.as_deref(), Some("%merged = phi i32 [ %sum, %entry ]"));
    broken_f("different values for one predecessor", |f| {
        let (n, sum) = (local(f, "n"), local(f, "sum"));
        let other = f.layout[2];
        // Both edges of a conditional branch lead to one block.
        let br = find(f, |k| matches!(k, InstKind::CondBr { .. }));
        f.insts[br].kind.map_successors(|_| other);
        let entry = f.entry();
        if let InstKind::Phi { incoming, .. } = kind(f, "merged") {
            *incoming = vec![(n, entry), (sum, entry)];
        }
    });
    broken_f("a phi behind another instruction", |f| {
        let block = f.layout[1];
        f.blocks[block].insts.swap(0, 1);
    });
}

#[test]
fn check_6_dominance() {
    let error = broken_f("does not dominate", |f| {
        let next = local(f, "next");
        if let InstKind::Select { if_true, .. } = kind(f, "picked") {
            *if_true = next;
        }
    });
    assert_eq!(error.inst.as_deref(), Some("%picked = select i1 %cmp, i32 %next, i32 %n"));
    assert_eq!(error.function.as_deref(), Some("f"));
    broken_f("does not dominate", |f| {
        let block = f.entry();
        f.blocks[block].insts.swap(1, 3);
    });
    broken("does not dominate", |m| {
        // The result of an invoke does not exist on the unwind edge.
        let i32 = m.types.int(32);
        let f = function(m, "unwinds");
        let r = find(f, |k| matches!(k, InstKind::Invoke { .. }));
        let r = Operand::Local(f.insts[r].result.unwrap());
        let freeze = f.create_inst(Inst::new(InstKind::Freeze(r), i32), true);
        f.blocks[f.layout[2]].insts.insert(1, freeze);
    });
}

#[test]
fn check_7_exceptions() {
    broken("without personality", |m| function(m, "unwinds").personality = None);
    broken("without landingpad", |m| {
        let f = function(m, "unwinds");
        let normal = f.layout[1];
        let invoke = find(f, |k| matches!(k, InstKind::Invoke { .. }));
        f.insts[invoke].kind.map_successors(|_| normal);
    });
    broken("not entered by unwinding alone", |m| {
        let f = function(m, "unwinds");
        let (ret, pad) = (find(f, |k| matches!(k, InstKind::Ret(_))), f.layout[2]);
        f.insts[ret].kind = InstKind::Br(pad);
    });
}

#[test]
fn check_8_arithmetic() {
    let error = broken_f("an operand has type double instead of i32", |f| {
        let x = local(f, "x");
        if let InstKind::Binary { rhs, .. } = kind(f, "sum") {
            *rhs = x;
        }
    });
    assert_eq!(error.source.unwrap().to_string(), "/src/f.c:7:3");
    broken_f("does not work on operands of this type", |f| {
        if let InstKind::Binary { op, flags, .. } = kind(f, "sum") {
            (*op, *flags) = (BinOp::FAdd, IntFlags::default());
        }
    });
    broken_f("a conversion between types", |f| {
        if let InstKind::Cast { op, .. } = kind(f, "wide") {
            *op = CastOp::Trunc;
        }
    });
    broken_f("the right operand has type", |f| {
        let x = local(f, "x");
        if let InstKind::ICmp { rhs, .. } = kind(f, "cmp") {
            *rhs = x;
        }
    });
    broken_f("an incoming value has type", |f| {
        let x = local(f, "x");
        if let InstKind::Phi { incoming, .. } = kind(f, "merged") {
            incoming[0].0 = x;
        }
    });
    broken_f("the condition of a select", |f| {
        let n = local(f, "n");
        if let InstKind::Select { cond, .. } = kind(f, "picked") {
            *cond = n;
        }
    });
}

#[test]
fn check_9_flags() {
    broken_f("a flag that means nothing", |f| {
        if let InstKind::Binary { flags, .. } = kind(f, "sum") {
            flags.exact = true;
        }
    });
    broken_f("a flag that means nothing", |f| {
        if let InstKind::Cast { flags, .. } = kind(f, "wide") {
            flags.nneg = true;
        }
    });
    broken_f("fast-math flags", |f| {
        if let InstKind::Select { fast, .. } = kind(f, "picked") {
            fast.nnan = true;
        }
    });
}

#[test]
fn check_10_control() {
    broken_f("the condition is not i1", |f| {
        let n = local(f, "n");
        let br = find(f, |k| matches!(k, InstKind::CondBr { .. }));
        if let InstKind::CondBr { cond, .. } = &mut f.insts[br].kind {
            *cond = n;
        }
    });
    broken_f("two equal cases", |f| {
        let switch = find(f, |k| matches!(k, InstKind::Switch { .. }));
        let back = f.layout[1];
        if let InstKind::Switch { cases, .. } = &mut f.insts[switch].kind {
            cases.push((cases[0].0, back));
        }
        // The new edge needs its entry.
        if let InstKind::Phi { incoming, .. } = kind(f, "i") {
            incoming.push(incoming[1]);
        }
    });
    broken_f("the returned value has type double", |f| {
        let (x, ret) = (local(f, "x"), find(f, |k| matches!(k, InstKind::Ret(_))));
        f.insts[ret].kind = InstKind::Ret(Some(x));
    });
    broken_f("a return without value", |f| {
        let ret = find(f, |k| matches!(k, InstKind::Ret(_)));
        f.insts[ret].kind = InstKind::Ret(None);
    });
}

#[test]
fn check_11_elements() {
    broken_f("a lane beyond both vectors", |f| {
        if let InstKind::ShuffleVector { mask, .. } = kind(f, "shuffle") {
            mask[0] = Some(8);
        }
    });
    broken_f("no vector", |f| {
        let x = local(f, "x");
        if let InstKind::ExtractElement { vector, .. } = kind(f, "lane") {
            *vector = x;
        }
    });
    broken_f("no element of the aggregate", |f| {
        if let InstKind::ExtractValue { indices, .. } = kind(f, "field") {
            indices[0] = 2;
        }
    });
    broken_f("the element has type i32", |f| {
        if let InstKind::ExtractValue { indices, .. } = kind(f, "field") {
            indices[0] = 0;
        }
    });
}

#[test]
fn check_12_memory() {
    broken_f("the address has type i32 and is no pointer", |f| {
        let n = local(f, "n");
        if let InstKind::Load { ptr, .. } = kind(f, "loaded") {
            *ptr = n;
        }
    });
    broken_f("an alignment that is no power of two", |f| {
        if let InstKind::Load { align, .. } = kind(f, "loaded") {
            *align = 3;
        }
    });
    broken_f("an ordering that this access does not have", |f| {
        if let InstKind::Load { atomic, .. } = kind(f, "loaded") {
            *atomic = Some(Atomic { ordering: Ordering::Release, scope: String::new() });
        }
    });
    broken_f("does not work on operands of this type", |f| {
        if let InstKind::AtomicRmw { op, .. } = kind(f, "old") {
            *op = RmwOp::FAdd;
        }
    });
    broken("has no size", |m| {
        let opaque = m.types.declare_struct("opaque");
        let opaque = m.types.intern(Type::Named(opaque));
        if let InstKind::Alloca { elem_ty, .. } = kind(function(m, "f"), "slot") {
            *elem_ty = opaque;
        }
    });
}

#[test]
fn check_13_addresses() {
    broken_f("lead to no element", |f| {
        let n = local(f, "n");
        if let InstKind::Gep { indices, .. } = kind(f, "gep") {
            // The index of a struct field must be constant.
            indices[1] = n;
        }
    });
    broken_f("an index that is no integer", |f| {
        let x = local(f, "x");
        if let InstKind::Gep { indices, .. } = kind(f, "gep") {
            indices[0] = x;
        }
    });
}

#[test]
fn check_14_calls() {
    fn call(f: &mut Function) -> &mut Call {
        let id = find(f, |k| matches!(k, InstKind::Call(_)));
        f.insts[id].kind.as_call_mut().unwrap()
    }
    broken_f("1 arguments for 2 parameters", |f| {
        call(f).args.pop();
    });
    broken_f("an argument has type double instead of i32", |f| call(f).args.swap(0, 1));
    broken_f("not one attribute set", |f| {
        call(f).arg_attrs.pop();
    });
    broken_f("no function type", |f| {
        let ret = f.ret;
        call(f).fn_ty = ret;
    });
    broken("before the return of its result", |m| {
        let f = function(m, "tail");
        let n = local(f, "n");
        let ret = find(f, |k| matches!(k, InstKind::Ret(_)));
        f.insts[ret].kind = InstKind::Ret(Some(n));
    });
}

#[test]
fn check_15_attributes() {
    broken("an attribute without its type", |m| {
        function(m, "returns_struct").params[1].attrs.0[0].value = AttrValue::Flag;
    });
    broken("an attribute for pointers", |m| {
        let f = function(m, "f");
        f.params[0].attrs = Attrs::default().flag("noalias");
    });
    broken("sret parameter returns a value", |m| {
        let i32 = m.types.int(32);
        function(m, "returns_struct").ret = i32;
    });
}

#[test]
fn check_16_globals() {
    broken("defined twice", |m| function(m, "f").name = "g".to_owned());
    broken("an initialiser of another type", |m| {
        let wide = m.int(64, 1).constant();
        let g = m.global("g").unwrap();
        m.globals[g].init = wide;
    });
    broken("an alias of itself", |m| {
        let (ptr, a) = (m.types.ptr(), m.global("a").unwrap());
        let own = m.constants.intern(ptr, ConstKind::Global(a));
        m.globals[a].alias_of = Some(own);
    });
    broken("without name", |m| function(m, "f").name.clear());
}

#[test]
fn check_17_debug() {
    broken_f("no DILocation", |f| {
        let (sum, sp) = (inst_id(f, "sum"), f.metadata[0].1);
        f.insts[sum].loc = Some(sp);
    });
    broken_f("no DISubprogram", |f| {
        let sum = inst_id(f, "sum");
        f.metadata[0].1 = f.insts[sum].loc.unwrap();
    });
}

#[test]
fn check_18_sizes() {
    broken("`%pair` contains itself", |m| {
        let pair = m.types.declare_struct("pair");
        let ty = m.types.intern(Type::Named(pair));
        m.types.set_body(pair, vec![ty], false);
    });
}

/// All errors are collected, not only the first.
#[test]
fn collects_all() {
    let mut module = good();
    let f = function(&mut module, "f");
    let x = local(f, "x");
    for name in ["sum", "next"] {
        if let InstKind::Binary { rhs, .. } = kind(f, name) {
            *rhs = x;
        }
    }
    let errors = verify(&module).unwrap_err();
    assert_eq!(errors.len(), 2);
    let text = "/src/f.c:7:3: an operand has type double instead of i32: `%sum = add nsw i32 %n, %x`, \
                in function `f`, block `%entry`";
    assert_eq!(errors[0].to_string(), text);
}
