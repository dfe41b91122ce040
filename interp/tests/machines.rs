//! The machines on the engine: lanes of whole functions, kinks, losses, cells found by a dry run, records of stores.

use interp::machines::{Cell, Directions, EventKind, LaneSet, Lanes, Mode, Watch, cells};
use interp::{
    AllocId, AllocKind, HeapKind, Interp, Leaf, Limits, Loss, Memory, Plain, Pointer, Program, Scalar, Value,
};
use ir::FloatKind;
use rug::Float;

const MODULE: &str = r#"
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define double @sinx(double %x) {
  %s = call double @sin(double %x)
  %r = fmul double %s, %x
  ret double %r
}
declare double @sin(double)

define double @branch(double %x) {
  %c = fcmp ogt double %x, 2.0
  %d = fmul double %x, 3.0
  %r = select i1 %c, double %d, double %x
  ret double %r
}

define double @bits(double %x) {
  %i = bitcast double %x to i64
  %m = and i64 %i, -2
  %r = bitcast i64 %m to double
  ret double %r
}

; y[0] = x[0] * x[1], through a copy; x[2] is cleared; z stays a float of its own.
define void @cells(ptr %x, ptr %y) {
  %copy = alloca [2 x double], align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %copy, ptr align 8 %x, i64 16, i1 false)
  %second = getelementptr double, ptr %copy, i64 1
  %a = load double, ptr %copy, align 8
  %b = load double, ptr %second, align 8
  %p = fmul double %a, %b
  store double %p, ptr %y, align 8
  %third = getelementptr double, ptr %x, i64 2
  call void @llvm.memset.p0.i64(ptr align 8 %third, i8 0, i64 8, i1 false)
  %zp = getelementptr i8, ptr %x, i64 24
  %z = load float, ptr %zp, align 4
  %zz = fadd float %z, 1.0
  %out = getelementptr i8, ptr %y, i64 8
  store float %zz, ptr %out, align 4
  ret void
}

; y = x[0..2], byte by byte in a register; x[0] and x[1] are cleared; one number of y is computed with.
define void @bytes(ptr %x, ptr %y) {
  %both = load <16 x i8>, ptr %x, align 1
  store <16 x i8> %both, ptr %y, align 1
  store <2 x double> zeroinitializer, ptr %x, align 8
  %second = getelementptr double, ptr %y, i64 1
  %b = load double, ptr %second, align 8
  %sum = fadd double %b, 1.0
  store double %sum, ptr %second, align 8
  ret void
}

; x[1], by way of y, byte by byte in a register.
define double @returned(ptr %x, ptr %y) {
  %from = getelementptr double, ptr %x, i64 1
  %bytes = load <8 x i8>, ptr %from, align 1
  store <8 x i8> %bytes, ptr %y, align 1
  %r = load double, ptr %y, align 8
  store double 0.0, ptr %y, align 8
  ret double %r
}

; A number, after an address was compared.
define double @compared(ptr %x, ptr %y) {
  %address = load ptr, ptr %x, align 8
  %none = icmp eq ptr %address, null
  store double 1.0, ptr %y, align 8
  %r = select i1 %none, double 2.0, double 3.0
  ret double %r
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
"#;

const BITS: u32 = 256;

fn program() -> Program {
    let module = ir::parse(MODULE, "machines.ll").expect("the module parses");
    Program::new(&module).unwrap_or_else(|faults| panic!("{faults:?}"))
}

fn directions() -> Directions {
    Directions::new(BITS, 1, &[1.0 / (1u64 << 60) as f64])
}

/// Calls a function of one double with lanes; the derivative and the machine.
fn derive(name: &str, x: f64) -> (Float, Lanes) {
    let (program, directions) = (program(), directions());
    let lanes = Lanes::new(directions.lanes(), BITS, Mode::Primal);
    let mut interp = Interp::new(&program, lanes, Limits::default());
    let shadow = directions.input(FloatKind::Double, u128::from(x.to_bits()), &[1.0]);
    let result = interp.call(program.function(name).unwrap(), &[Value::shadowed(Scalar::f64(x), shadow)]).unwrap();
    let slope = directions.derivative(&result.leaves[0].1, 0, 0).unwrap();
    (slope, interp.into_parts().0)
}

#[test]
fn lanes_give_thirty_digits_of_the_derivative() {
    let (slope, lanes) = derive("sinx", 0.75);
    let x = Float::with_val(BITS, 0.75);
    let exact = x.clone().sin() + x.clone().cos() * x;
    let error = Float::with_val(BITS, &slope - &exact).abs();
    assert!(error < Float::with_val(BITS, exact * 1e-30), "{slope}");
    assert!(lanes.events.is_empty());
}

#[test]
fn a_comparison_at_its_border_is_a_kink() {
    let (slope, lanes) = derive("branch", 2.0);
    assert_eq!(slope, 1, "the slope of the executed path");
    let kinds: Vec<_> = lanes.events.kinks().map(|e| (e.kind, e.at.inst)).collect();
    assert!(matches!(kinds.as_slice(), [(EventKind::Kink(_), _)]), "{kinds:?}");
    let (slope, lanes) = derive("branch", 2.5);
    assert_eq!(slope, 3);
    assert!(lanes.events.is_empty());
}

#[test]
fn bits_taken_apart_are_a_loss() {
    let (_, lanes) = derive("bits", 1.5);
    let losses: Vec<_> = lanes.events.losses().map(|e| e.kind).collect();
    assert_eq!(losses, [EventKind::Lost(Loss::Bits)]);
}

/// x = { 2, 3, 5 as doubles, 7 as a float } and y of 16 bytes.
fn objects(memory: &mut Memory) -> (Pointer, Pointer) {
    let heap = AllocKind::Heap(HeapKind::Malloc);
    let x = memory.allocate(32, 16, heap, None).unwrap();
    let y = memory.allocate(16, 16, heap, None).unwrap();
    for (i, value) in (0..).zip([2.0, 3.0, 5.0]) {
        memory.store(x.offset(8 * i), Leaf::Float(FloatKind::Double), Scalar::f64(value), 8).unwrap();
    }
    memory.store(x.offset(24), Leaf::Float(FloatKind::Float), Scalar::f32(7.0), 4).unwrap();
    memory.store(x.offset(28), Leaf::Int(32), Scalar::i32(1), 4).unwrap();
    (x, y)
}

#[test]
fn a_dry_run_finds_inputs_through_copies_and_overwritten_words() {
    let program = program();
    let (_, mut memory) = Interp::new(&program, Plain, Limits::default()).into_parts();
    let (x, y) = objects(&mut memory);
    let ids = [x, y].map(|p| AllocId::from_bits(p.prov));
    let call = (program.function("cells").unwrap(), &[Value::ptr(x), Value::ptr(y)][..]);
    let found = cells::discover(&program, &memory, call, &ids, &Limits::default()).unwrap();
    let cell = |p: Pointer, kind| Cell { address: p.addr, object: AllocId::from_bits(p.prov), kind };
    let (double, float) = (FloatKind::Double, FloatKind::Float);
    assert_eq!(found.inputs, [cell(x, double), cell(x.offset(8), double), cell(x.offset(24), float)]);
    assert_eq!(found.stored, [cell(y, double), cell(y.offset(8), float)]);
    assert!(found.overwritten.contains(&x.offset(16).addr) && found.overwritten.contains(&y.addr));
    assert!(!found.overwritten.contains(&x.addr));
    assert_eq!(found.memory.load(y, Leaf::Float(double), 8).unwrap().as_f64(), 6.0);
    assert_eq!(memory.load(x.offset(16), Leaf::Float(double), 8).unwrap().as_f64(), 5.0, "the run was on a copy");
}

#[test]
fn a_dry_run_finds_inputs_that_were_moved_byte_by_byte() {
    let program = program();
    let (_, mut memory) = Interp::new(&program, Plain, Limits::default()).into_parts();
    let (x, y) = objects(&mut memory);
    let ids = [x, y].map(|p| AllocId::from_bits(p.prov));
    let call = (program.function("bytes").unwrap(), &[Value::ptr(x), Value::ptr(y)][..]);
    let found = cells::discover(&program, &memory, call, &ids, &Limits::default()).unwrap();
    let second = Cell { address: x.addr + 8, object: ids[0], kind: FloatKind::Double };
    assert_eq!(found.inputs, [second], "the other number is moved, and not computed with");
    let grains = [x.addr, x.addr + 4].map(|grain| (grain, grain - x.addr + y.addr));
    assert_eq!(found.moved.into_iter().collect::<Vec<_>>(), grains);

    let call = (program.function("returned").unwrap(), call.1);
    let found = cells::discover(&program, &memory, call, &ids, &Limits::default()).unwrap();
    assert_eq!(found.inputs, [second]);

    let call = (program.function("compared").unwrap(), call.1);
    let found = cells::discover(&program, &memory, call, &ids, &Limits::default()).unwrap();
    assert_eq!(found.inputs, [], "what is returned is not made of the bytes that were compared");
}

#[test]
fn lanes_of_memory_cells_and_the_stores_that_made_them() {
    let (program, directions) = (program(), directions());
    let (_, mut plain) = Interp::new(&program, Plain, Limits::default()).into_parts();
    let (x, y) = objects(&mut plain);
    let mut memory: Memory<LaneSet> = plain.without_shadows();
    let input = directions.input(FloatKind::Double, u128::from(2f64.to_bits()), &[1.0]);
    memory.set_shadow(x, 8, input);
    let lanes = Lanes::new(directions.lanes(), BITS, Mode::Primal);
    let watch = Watch::new(lanes, [AllocId::from_bits(y.prov)]);
    let mut interp = Interp::with_memory(&program, watch, memory, Limits::default());
    interp.call(program.function("cells").unwrap(), &[Value::ptr(x), Value::ptr(y)]).unwrap();
    let (watch, memory) = interp.into_parts();
    let shadow = memory.shadow(y, 8).cloned().unwrap_or_default();
    assert_eq!(directions.derivative(&shadow, 0, 0).unwrap(), 3, "d(x0 x1)/dx0");
    assert_eq!(watch.inner.cell(&memory, y, FloatKind::Double).unwrap()[0], 6);
    let stores = watch.stores(y.addr).unwrap();
    assert_eq!((stores.count, stores.first.bits), (1, u128::from(6f64.to_bits())));
    assert!(watch.stores(x.addr).is_none(), "x is not watched");
    assert_eq!(watch.cells().count(), 2);
}
