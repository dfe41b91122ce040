//! What levers leave out of gradients, seen in the text of the gradient. That the answers are the same is the corpus's
//! business.

use ad::{Activity, Lever, Options, Without};

/// The gradient's text, with all levers or without one.
fn gradient(text: &str, activities: &[Activity], without: Option<Lever>) -> String {
    let mut module = ir::parse(text, "test").expect("the test's IR parses");
    let root = module.function("f").expect("the function exists");
    let without = without.map_or(Without::default(), |lever| Without::default().and(lever));
    let options = Options { without, ..Options::default() };
    let id = ad::gradient_of(&mut module, root, activities, &options).expect("it is differentiated");
    let name = format!("@{}(", module.functions[id].name);
    let printed = module.to_string();
    let define = |line: &&str| line.starts_with("define") && line.contains(&name);
    let body: Vec<&str> = printed.lines().skip_while(|l| !define(l)).take_while(|l| *l != "}").collect();
    assert!(!body.is_empty(), "{printed}");
    body.join("\n")
}

/// How often a word stands in the gradient with the lever and without. (What the table calls may be an intrinsic: `cos`
/// or `llvm.cos.f64`.)
fn both(text: &str, activities: &[Activity], lever: Lever, word: &str) -> (usize, usize) {
    let count = |without| gradient(text, activities, without).matches(word).count();
    (count(None), count(Some(lever)))
}

#[test]
fn what_the_program_calls_beside_is_not_called_again() {
    let text = "declare double @sin(double)\ndeclare double @cos(double)\n\
        define double @f(double %x, double %y) {\nentry:\n  %positive = fcmp ogt double %x, 0.0\n  \
        br i1 %positive, label %turn, label %end\n\
        turn:\n  %s = call double @sin(double %x)\n  %c = call double @cos(double %x)\n  %p = fmul double %s, %c\n  \
        br label %end\n\
        end:\n  %r = phi double [ %p, %turn ], [ %y, %entry ]\n  ret double %r\n}\n";
    let out = [Activity::Out, Activity::Out];
    assert_eq!(both(text, &out, Lever::SharedCalls, "cos"), (1, 2));
    assert_eq!(both(text, &out, Lever::SharedCalls, "sin"), (1, 2));
}

#[test]
fn a_call_on_another_operand_is_made() {
    let text = "declare double @sin(double)\ndeclare double @cos(double)\n\
        define double @f(double %x, double %y) {\n  %s = call double @sin(double %x)\n  \
        %c = call double @cos(double %y)\n\
        %p = fmul double %s, %c\n  ret double %p\n}\n";
    assert_eq!(both(text, &[Activity::Out, Activity::Out], Lever::SharedCalls, "cos"), (2, 2));
}

#[test]
fn a_load_is_not_made_again_after_a_call_of_libm_but_after_a_store() {
    let before = "declare double @exp(double)\ndefine double @f(ptr %x, ptr %y) {\n  \
        %a = load double, ptr %x, align 8\n\
        %e = call double @exp(double %a)\n";
    let after = "  %b = load double, ptr %x, align 8\n  %p = fmul double %e, %b\n  ret double %p\n}\n";
    // Of the primal one or two, of the shadow as many.
    let dup = [Activity::Dup, Activity::Dup];
    let loads = |between: &str, without| {
        let body = gradient(&format!("{before}{between}{after}"), &dup, without);
        body.lines().filter(|l| l.contains("load double, ptr %0,")).count()
    };
    assert_eq!((loads("", None), loads("", Some(Lever::MergeLoads))), (1, 2));
    let store = "  store double 1.0, ptr %y, align 8\n";
    assert_eq!((loads(store, None), loads(store, Some(Lever::MergeLoads))), (2, 2));
}

#[test]
fn a_place_that_was_just_cleared_is_not_added_to() {
    let text = "define void @f(ptr %x, i64 %i, i64 %j) {\n  %p = getelementptr inbounds double, ptr %x, i64 %i\n\
        %q = getelementptr inbounds double, ptr %x, i64 %j\n  %a = load double, ptr %p, align 8\n  \
        %b = load double, ptr %q, align 8\n\
        %s = fadd double %a, %b\n  %d = fmul double %a, %b\n  store double %s, ptr %q, align 8\n  \
        store double %d, ptr %p, align 8\n  ret void\n}\n";
    let constant = [Activity::Dup, Activity::Const, Activity::Const];
    // Both adjoints are taken, then both are added to. The second sum is one even so: the first may be to the same
    // place.
    let (with, without) = both(text, &constant, Lever::KnownClear, "fadd");
    assert_eq!(without - with, 1, "{with} and {without} sums");
}

#[test]
fn the_slope_of_tanh_calls_only_where_it_must() {
    let text = "declare double @tanh(double)\ndefine double @f(double %x) {\n  %t = call double @tanh(double %x)\n  \
        ret double %t\n}\n";
    let body = gradient(text, &[Activity::Out], None);
    assert!(!body.contains("cosh") && body.contains("@__adj_choice_"), "{body}");
}
