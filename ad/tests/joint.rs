//! Which loops are reversed jointly, seen in the text of the gradient. That the answers are the same is the corpus's
//! business.

use ad::{Activity, Lever, Options, Without};

/// `sum_i g(p, x_i)` with scratch memory `at` of `d` doubles; `%scratch` of the body stands for what is done with it in
/// each iteration, `%behind` for what is done when the loop is over, with the sum.
const SUM: &str = r#"
declare ptr @malloc(i64)
declare void @free(ptr)
declare double @exp(double)
declare double @log(double)
define double @f(ptr %p, ptr %x, i64 %n, i64 %d, ptr noalias %out, i8 %few) {
entry:
  %signed = sext i8 %few to i64
  %unsigned = zext i8 %few to i64
  %bytes = shl i64 %d, 3
  %at = call ptr @malloc(i64 %bytes)
  br label %point
point:
  %i = phi i64 [ 0, %entry ], [ %i.next, %end ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %end ]
  %row = getelementptr inbounds double, ptr %x, i64 %i
  %datum = load double, ptr %row, align 8
  br label %write
write:
  %j = phi i64 [ FROM, %point ], [ %j.next, %next ]
  %pj = getelementptr inbounds double, ptr %p, i64 %j
  %pv = load double, ptr %pj, align 8
  %product = fmul double %pv, %datum
  %e = call double @exp(double %product)
  %to = getelementptr inbounds double, ptr %at, i64 %j
  WRITE
  %j.next = add nuw nsw i64 %j, 1
  %j.done = icmp eq i64 %j.next, WRITTEN
  br i1 %j.done, label %reads, label %write
reads:
  br label %read
read:
  %k = phi i64 [ 0, %reads ], [ %k.next, %read ]
  %norm = phi double [ 0.0, %reads ], [ %norm.next, %read ]
  %from = getelementptr inbounds double, ptr %at, i64 %k
  %v = load double, ptr %from, align 8
  %square = fmul double %v, %v
  %norm.next = fadd double %norm, %square
  %k.next = add nuw nsw i64 %k, 1
  %k.done = icmp eq i64 %k.next, BOUND
  br i1 %k.done, label %end, label %read
end:
  %l = call double @log(double %norm.next)
  %sum.next = STEP
  %i.next = add nuw nsw i64 %i, 1
  %i.done = icmp eq i64 %i.next, %n
  br i1 %i.done, label %behind, label %point
behind:
  BEHIND
  call void @free(ptr %at)
  ret double %result
}
"#;

/// The program with what is put in its gaps.
struct Sum {
    from: &'static str,
    write: &'static str,
    written: &'static str,
    bound: &'static str,
    step: &'static str,
    behind: &'static str,
}

const PLAIN: Sum = Sum {
    from: "0",
    write: "store double %e, ptr %to, align 8\n  br label %next\nnext:",
    written: "%d",
    bound: "%d",
    step: "fadd double %sum, %l",
    behind: "%result = fmul double %sum.next, 2.0",
};

fn text(sum: &Sum) -> String {
    let gaps = [
        ("FROM", sum.from),
        ("WRITTEN", sum.written),
        ("WRITE", sum.write),
        ("BOUND", sum.bound),
        ("STEP", sum.step),
        ("BEHIND", sum.behind),
    ];
    gaps.iter().fold(SUM.to_owned(), |text, (gap, with)| text.replace(gap, with))
}

fn is_joint(sum: &Sum, without: Without) -> bool {
    is_joint_in(&text(sum), without).0
}

/// Of a program's text, with the gradient's.
fn is_joint_in(text: &str, without: Without) -> (bool, String) {
    let mut module = ir::parse(text, "test").expect("the test's IR parses");
    let root = module.function("f").expect("the function exists");
    let activities = [Activity::Dup, Activity::Const, Activity::Const, Activity::Const, Activity::Dup, Activity::Const];
    let options = Options { without, ..Options::default() };
    let id = ad::gradient_of(&mut module, root, &activities, &options).expect("it is differentiated");
    let printed = module.to_string();
    let name = format!("@{}(", module.functions[id].name);
    let define = |line: &&str| line.starts_with("define") && line.contains(&name);
    let body: Vec<&str> = printed.lines().skip_while(|l| !define(l)).take_while(|l| *l != "}").collect();
    let joint = body.iter().any(|line| line.contains("call") && line.contains("@__adj_joint_"));
    // What is reversed jointly, the forward pass leaves out.
    assert!(!joint || !body.iter().any(|line| line.contains("@exp(")), "{printed}");
    (joint, printed)
}

#[test]
fn a_sum_whose_scratch_is_written_before_it_is_read() {
    assert!(is_joint(&PLAIN, Without::default()));
    assert!(!is_joint(&PLAIN, Without::default().and(Lever::Joint)));
    assert!(is_joint(&Sum { step: "fsub double %sum, %l", ..PLAIN }, Without::default()));
}

#[test]
fn a_recurrence_is_stored_in_an_iteration_and_run_again_elsewhere() {
    let write =
        "%weighed = fmul double %e, %weight\n  store double %weighed, ptr %to, align 8\n  br label %next\nnext:";
    let seed = "  %seed = phi i64 [ 1, %point ], [ %seed.next, %next ]\n  \
        %seed.next = mul i64 %seed, 6364136223846793005\n\
        %high = lshr i64 %seed.next, 32\n  %weight = uitofp i64 %high to double\n  %pj =";
    let with_seed = |step| text(&Sum { write, step, ..PLAIN }).replace("  %pj =", seed);
    let (joint, gradient) = is_joint_in(&with_seed(PLAIN.step), Without::default());
    assert!(joint && !gradient.contains("@__adj_replay"), "{gradient}");
    let (joint, gradient) = is_joint_in(&with_seed("fmul double %sum, %l"), Without::default());
    assert!(!joint && gradient.contains("@__adj_replay"), "{gradient}");
}

#[test]
fn an_element_may_be_of_the_iteration_before() {
    assert!(!is_joint(&Sum { from: "1", ..PLAIN }, Without::default()), "the first element is not written");
    assert!(!is_joint(&Sum { bound: "%n", ..PLAIN }, Without::default()), "nothing tells that n is not more than d");
}

#[test]
fn a_narrow_bound_is_another_number_with_its_sign_than_without() {
    let both = |written, bound| is_joint(&Sum { written, bound, ..PLAIN }, Without::default());
    assert!(both("%unsigned", "%unsigned") && both("%signed", "%signed"));
    assert!(!both("%signed", "%unsigned") && !both("%unsigned", "%signed"));
}

#[test]
fn an_element_is_written_now_and_then() {
    let write = "%some = fcmp ogt double %e, 1.0\n  br i1 %some, label %store, label %next\nstore:\n\
                 store double %e, ptr %to, align 8\n  br label %next\nnext:";
    assert!(!is_joint(&Sum { write, ..PLAIN }, Without::default()));
}

#[test]
fn an_iteration_needs_the_sum_so_far() {
    assert!(!is_joint(&Sum { step: "fmul double %sum, %l", ..PLAIN }, Without::default()));
    assert!(!is_joint(&Sum { step: "fsub double %l, %sum", ..PLAIN }, Without::default()));
}

#[test]
fn the_sum_is_needed_behind_the_loop() {
    let behind = "%result = call double @log(double %sum.next)";
    assert!(!is_joint(&Sum { behind, ..PLAIN }, Without::default()), "its derivative needs the sum");
    let behind = "store double %sum.next, ptr %out, align 8\n  %result = fadd double %sum.next, 1.0";
    assert!(!is_joint(&Sum { behind, ..PLAIN }, Without::default()), "the caller sees it");
}

#[test]
fn the_scratch_is_read_behind_the_loop() {
    let behind = "%last = load double, ptr %at, align 8\n  %result = fadd double %sum.next, %last";
    assert!(!is_joint(&Sum { behind, ..PLAIN }, Without::default()));
}

#[test]
fn the_data_is_overwritten_behind_the_loop() {
    let behind = "store double 0.0, ptr %x, align 8\n  %result = fadd double %sum.next, 1.0";
    assert!(!is_joint(&Sum { behind, ..PLAIN }, Without::default()));
}

#[test]
fn the_result_is_asked_for() {
    let differentiated = |marker: &str| {
        let caller = format!(
            "@{marker} = external global i32\ndeclare double @__enzyme_autodiff(...)\n\
             define double @caller(ptr %p, ptr %dp, ptr %x, ptr %out, ptr %dout) {{\n  \
             %how = load i32, ptr @{marker}, align 4\n\
             %dup = load i32, ptr @enzyme_dup, align 4\n  %const = load i32, ptr @enzyme_const, align 4\n\
             %r = call double (...) @__enzyme_autodiff(ptr @f, HOW i32 %dup, ptr %p, ptr %dp, i32 %const, ptr %x, i32 \
             %const, i64 4, i32 %const, i64 3, i32 %dup, ptr %out, ptr %dout, i32 %const, i8 3)\n  ret double %r\n}}\n\
             @enzyme_dup = external global i32\n@enzyme_const = external global i32\n"
        );
        let how = if marker == "enzyme_primal_return" { "i32 %how," } else { "" };
        let module = ir::parse(&(text(&PLAIN) + &caller.replace("HOW", how)), "test").expect("the test's IR parses");
        let output = ad::differentiate(module, &Options::default());
        assert!(output.refusals.is_empty(), "{:?}", output.refusals);
        output.module.to_string()
    };
    assert!(differentiated("unused").contains("@__adj_joint_"));
    assert!(!differentiated("enzyme_primal_return").contains("@__adj_joint_"));
}
