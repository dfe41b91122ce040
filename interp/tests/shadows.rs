//! Shadows ride along: a machine whose shadow is a label, and what becomes of labels.

use interp::{
    CompareEvent, FloatEvent, Interp, Leaf, Limits, Loss, Machine, MemAccess, Memory, Program, Res, Shadow, Value,
};
use ir::FuncId;

/// The shadow: which inputs a value was made from, as bits.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
struct Label(u32);

impl Shadow for Label {
    fn is_absent(&self) -> bool {
        self.0 == 0
    }
}

/// Unions labels; writes down what is lost and compared.
#[derive(Default)]
struct Labels {
    lost: Vec<u32>,
    compared: usize,
    ops: Vec<String>,
}

impl Machine for Labels {
    type Shadow = Label;
    const SHADOWS: bool = true;
    const OBSERVES_MEMORY: bool = true;

    fn float_op(&mut self, event: &FloatEvent<'_, Label>) -> Label {
        self.ops.push(format!("{:?}", event.op));
        Label(event.args.iter().fold(0, |all, arg| all | arg.shadow.0))
    }

    fn compare(&mut self, _: &CompareEvent<'_, Label>) {
        self.compared += 1;
    }

    fn lost(&mut self, shadow: &Label, _: Loss, _: interp::Location) -> Label {
        self.lost.push(shadow.0);
        Label::default()
    }

    fn load(&mut self, at: &MemAccess, _: interp::Scalar) -> Option<Label> {
        // The variable @input holds what is followed.
        (at.leaf.is_float() && INPUT.with(|i| i.get()) == at.pointer.addr).then_some(Label(1))
    }

    fn intercepts(&self, program: &Program, func: FuncId) -> bool {
        program.module.functions[func].name == "label"
    }

    fn call(&mut self, cx: &mut interp::CallContext<'_, Label>, _: FuncId, args: &[Value<Label>]) -> Res<Value<Label>> {
        assert_eq!(cx.leaves, [Leaf::Float(ir::FloatKind::Float), Leaf::Int(32)]);
        let mut value = args[0].clone();
        value.leaves[0].1 = Label(args[1].leaves[0].0.lo as u32);
        Ok(value)
    }
}

thread_local! {
    static INPUT: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Calls `@test` and returns the labels of the result's leaves, with the machine and memory.
fn run(body: &str) -> (Vec<u32>, Labels, Memory<Label>) {
    let text = format!(
        "declare float @label(float, i32)\n@input = global double 2.0\n\
         declare double @sin(double)\n\
         declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n{body}"
    );
    let module = ir::parse(&text, "test").unwrap();
    let program = Program::new(&module).unwrap();
    INPUT.with(|i| i.set(program.globals[module.global("input").unwrap()].addr));
    let mut interp = Interp::new(&program, Labels::default(), Limits::default());
    let value = interp.call(program.function("test").unwrap(), &[]).unwrap();
    let (machine, memory) = interp.into_parts();
    (value.leaves.iter().map(|(_, shadow)| shadow.0).collect(), machine, memory)
}

#[test]
fn arithmetic_unions_and_memory_keeps() {
    let (labels, machine, _) = run("define float @test() {
  %p = alloca [2 x float]
  %a = call float @label(float 1.0, i32 1)
  %b = call float @label(float 2.0, i32 2)
  store float %a, ptr %p
  %q = getelementptr float, ptr %p, i64 1
  %l = load float, ptr %p
  %s = fadd float %l, %b
  store float %s, ptr %q
  %r = load float, ptr %q
  ret float %r
}");
    assert_eq!(labels, [3]);
    assert_eq!(machine.ops, ["Rule(FAdd)"]);
    assert!(machine.lost.is_empty());
}

#[test]
fn overwriting_ends_a_shadow() {
    let (labels, _, _) = run("define float @test() {
  %p = alloca float
  %a = call float @label(float 1.0, i32 1)
  store float %a, ptr %p
  %q = getelementptr i8, ptr %p, i64 3
  store i8 64, ptr %q
  %r = load float, ptr %p
  ret float %r
}");
    assert_eq!(labels, [0]);
}

#[test]
fn the_machine_labels_inputs_when_they_are_loaded() {
    let (labels, machine, memory) = run("define double @test() {
  %x = load double, ptr @input
  %y = call double @sin(double %x)
  %f = freeze ptr @sin
  %z = call double %f(double %x)
  %r = fmul double %y, %z
  ret double %r
}");
    assert_eq!(labels, [1]);
    assert_eq!(machine.ops, ["Rule(Sin)", "Rule(Sin)", "Rule(FMul)"]);
    let input = interp::Pointer { addr: INPUT.with(|i| i.get()), prov: 0 };
    assert_eq!(memory.shadow(input, 8), Some(&Label(1)), "the label stays with the cell");
}

/// Two floats travel as one integer through memory, shifts and casts, as optimised code moves small structures.
#[test]
fn parts_of_integers_keep_their_shadows() {
    let (labels, machine, _) = run("define {float, float} @test() {
  %p = alloca [2 x float]
  %t = alloca i64
  %a = call float @label(float 1.0, i32 1)
  %b = call float @label(float 2.0, i32 2)
  store float %a, ptr %p
  %q = getelementptr float, ptr %p, i64 1
  store float %b, ptr %q
  %both = load i64, ptr %p, align 4
  store i64 %both, ptr %t
  %again = load i64, ptr %t
  %low = trunc i64 %again to i32
  %up = lshr i64 %again, 32
  %high = trunc i64 %up to i32
  %hw = zext i32 %low to i64
  %sh = shl nuw i64 %hw, 32
  %lw = zext i32 %high to i64
  %sw = or disjoint i64 %sh, %lw
  %v = bitcast i64 %sw to <2 x float>
  %x = extractelement <2 x float> %v, i64 0
  %y = extractelement <2 x float> %v, i64 1
  %r = insertvalue {float, float} poison, float %x, 0
  %s = insertvalue {float, float} %r, float %y, 1
  ret {float, float} %s
}");
    assert_eq!(labels, [2, 1]);
    assert!(machine.lost.is_empty(), "{:?}", machine.lost);
}

#[test]
fn copies_and_calls_keep_shadows() {
    let (labels, machine, _) = run("define <2 x float> @through(<2 x float> %v, i64 %i) {
  ret <2 x float> %v
}
define {<2 x float>, float} @test() {
  %p = alloca [2 x float]
  %q = alloca [2 x float]
  %a = call float @label(float 1.0, i32 1)
  store float %a, ptr %p
  %p1 = getelementptr float, ptr %p, i64 1
  store float 5.0, ptr %p1
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 8, i1 false)
  %v = load <2 x float>, ptr %q, align 4
  %w = call <2 x float> @through(<2 x float> %v, i64 1)
  %c = fcmp olt float %a, 2.0
  %z = select i1 %c, float %a, float 0.0
  %r = insertvalue {<2 x float>, float} poison, <2 x float> %w, 0
  %s = insertvalue {<2 x float>, float} %r, float %z, 1
  ret {<2 x float>, float} %s
}");
    assert_eq!(labels, [1, 0, 1]);
    assert_eq!(machine.compared, 1);
}

#[test]
fn taking_bits_apart_is_told() {
    let (labels, machine, _) = run("define i32 @test() {
  %a = call float @label(float 1.5, i32 1)
  %b = bitcast float %a to i32
  %c = and i32 %b, 8388607
  %d = fptosi float %a to i32
  %r = add i32 %c, %d
  ret i32 %r
}");
    assert_eq!(labels, [0]);
    assert_eq!(machine.lost, [1, 1]);
}
