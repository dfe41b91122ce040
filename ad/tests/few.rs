//! Which gradients are inlined where they are called.

use ad::Options;
use ad::inline_gradients;

/// `f` squares a number, and `g` asks for its derivative at so many places.
fn marked(places: usize, attributes: &str) -> bool {
    let calls: String = (0..places)
        .map(|n| {
            format!(
                "  %d{n} = call double (...) @__enzyme_autodiff(ptr @f, double %x)\n  \
                 store volatile double %d{n}, ptr %out, align 8\n"
            )
        })
        .collect();
    let text = format!(
        "declare double @__enzyme_autodiff(...)\ndefine double @f(double %x) {{\n  %y = fmul double %x, %x\n  \
         ret double %y\n}}\n\
         define void @g(double %x, ptr %out) {{\n{calls}  ret void\n}}\n"
    );
    let mut module =
        ad::differentiate(ir::parse(&text, "test").expect("the test's IR parses"), &Options::default()).module;
    let (gradient, _) = module.functions.iter().find(|(_, f)| f.name == "__adj_gradient_f").expect("a gradient");
    if !attributes.is_empty() {
        let attrs = std::mem::take(&mut module.functions[gradient].attrs);
        module.functions[gradient].attrs = attrs.flag(attributes);
    }
    inline_gradients::install(&mut module);
    module.functions[gradient].attrs.has("alwaysinline")
}

#[test]
fn gradients_are_inlined_at_few_places() {
    assert!(!marked(1, ""), "that is LLVM's own business");
    assert!(marked(2, "") && marked(8, ""));
    assert!(!marked(9, ""));
    assert!(!marked(2, "noinline"));
}
