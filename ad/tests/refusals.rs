//! What cannot be differentiated is refused with its place and reason, never answered with a zero.

use ad::{Options, Reason, differentiate};

fn refusal(body: &str, call: &str) -> String {
    let text = format!(
        "@enzyme_dup = external global i32\n@enzyme_const = external global i32\n@enzyme_out = external global i32\n\
         @enzyme_width = external global i32\ndeclare double @__enzyme_autodiff(ptr, ...)\n\
         declare double @unknown(double)\n\
         declare double @pow(double, double)\n{body}\n\
         define double @main(ptr %x, ptr %dx, double %a) {{\nentry:\n  %dup = load i32, ptr @enzyme_dup, align 4\n\
         %const = load i32, ptr @enzyme_const, align 4\n  %out = load i32, ptr @enzyme_out, align 4\n\
         %width = load i32, ptr @enzyme_width, align 4\n  %r = call double (ptr, ...) @__enzyme_autodiff({call})\n  \
         ret double %r\n}}\n"
    );
    let module = ir::parse(&text, "test").expect("the test's IR parses");
    let out = differentiate(module, &Options::default());
    assert_eq!(out.judged.len(), 0, "it was not refused");
    let diagnostic = &out.refusals[0].diagnostic;
    assert_ne!(diagnostic.reason, Reason::Bug, "{diagnostic}");
    diagnostic.to_string()
}

fn refused(body: &str, call: &str, words: &str) {
    let message = refusal(body, call);
    assert!(message.contains(words), "`{message}` does not say `{words}`");
}

const SQUARE: &str =
    "define double @f(ptr %p) {\n  %v = load double, ptr %p, align 8\n  %m = fmul double %v, %v\n  ret double %m\n}";

#[test]
fn misuse_of_the_convention() {
    refused(SQUARE, "ptr @f", "too few arguments");
    refused(SQUARE, "ptr @f, i32 %dup, ptr %x", "the shadow of argument 1");
    refused(SQUARE, "ptr @f, i32 %dup, ptr %x, i32 %dup", "the shadow of argument 1");
    refused(SQUARE, "ptr @f, i32 %dup, ptr %x, ptr %dx, double %a", "too many arguments");
    refused(SQUARE, "ptr @f, i32 %out, ptr %x", "only a floating-point value has an adjoint");
    refused(SQUARE, "ptr @f, double %a, ptr %x", "is a `double` here, where a pointer is needed");
    refused(SQUARE, "ptr @unknown, double %a", "has no body");
    refused(SQUARE, "ptr %x", "is the name of the function to differentiate");
    refused(SQUARE, "ptr @f, i32 %width, ptr %x, ptr %dx", "`enzyme_width` needs a constant");
}

#[test]
fn active_values_in_functions_without_a_body() {
    let body = "define double @f(double %v) {\n  %r = call double @unknown(double %v)\n  ret double %r\n}";
    refused(body, "ptr @f, double %a", "`unknown` gets an active value");
}

#[test]
fn bits_of_an_active_float() {
    let body = "define double @f(double %v) {\n  %b = bitcast double %v to i64\n  %c = xor i64 %b, 1\n  \
        %r = bitcast i64 %c to double\n  ret double %r\n}";
    refused(body, "ptr @f, double %a", "bits of an active float");
}

/// An optimiser moves a union of a pointer and two `float`, or of two pointers and two `double`, as pointers.
#[test]
fn floats_that_are_moved_as_a_pointer() {
    let of_a_union = |members: &str, word: &str, result: &str| {
        let body = format!(
            "declare ptr @malloc(i64)\ndefine double @f(ptr %x) {{\n  %u = call ptr @malloc(i64 16)\n  \
             %v = load <2 x double>, ptr %x, align 8\n  {members}\n  %p = load ptr, ptr %u, align 8\n  \
             %i = ptrtoint ptr %p to i64\n  {word}\n  {result}\n  ret double %r\n}}"
        );
        refused(&body, "ptr @f, i32 %dup, ptr %x, ptr %dx", "a union is moved as one of its members");
    };
    let narrow = "%w = fptrunc <2 x double> %v to <2 x float>\n  store <2 x float> %w, ptr %u, align 8";
    let float = "%l = trunc i64 %i to i32\n  %f = bitcast i32 %l to float";
    of_a_union(narrow, float, "%r = fpext float %f to double");
    let halves = "%w = fptrunc <2 x double> %v to <2 x half>\n  store <2 x half> %w, ptr %u, align 8";
    let half = "%l = trunc i64 %i to i16\n  %h = bitcast i16 %l to half";
    of_a_union(halves, half, "%r = fpext half %h to double");
    of_a_union("store <2 x double> %v, ptr %u, align 8", "%d = bitcast i64 %i to double", "%r = fmul double %d, 2.0");
}

/// The exchange would leave the shadow of the address behind.
#[test]
fn addresses_that_are_exchanged_as_numbers() {
    let body = "define double @f(ptr %x) {\n  %a = alloca double\n  %b = alloca double\n  %cell = alloca ptr\n  \
        %v = load double, ptr %x, align 8\n  %s = fmul double %v, %v\n  store double %s, ptr %a, align 8\n  \
        store double %v, ptr %b, align 8\n  store ptr %b, ptr %cell, align 8\n  %n = ptrtoint ptr %a to i64\n  \
        %new = add i64 %n, 0\n  %o = ptrtoint ptr %b to i64\n  %old = add i64 %o, 0\n  \
        %r = cmpxchg ptr %cell, i64 %old, i64 %new seq_cst seq_cst, align 8\n  \
        %c = load ptr, ptr %cell, align 8\n  %y = load double, ptr %c, align 8\n  ret double %y\n}";
    refused(body, "ptr @f, i32 %dup, ptr %x, ptr %dx", "an atomic exchange of an address");
}

#[test]
fn active_values_in_constant_memory() {
    let body = "define double @f(double %v, ptr %p) {\n  store double %v, ptr %p, align 8\n  \
        %r = load double, ptr %p, align 8\n  ret double %r\n}";
    refused(body, "ptr @f, double %a, i32 %const, ptr %x", "marks constant");
}

#[test]
fn memory_of_unknown_type() {
    let body = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\ndefine void @f(ptr %p, ptr %q) {\n  \
        call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 16, i1 false)\n  ret void\n}";
    refused(body, "ptr @f, ptr %x, ptr %dx, ptr %x, ptr %dx", "type of the moved data is not known");
}

#[test]
fn second_returns() {
    let body = "declare i32 @_setjmp(ptr) returns_twice\ndefine double @f(double %v) {\n  \
        %b = alloca [200 x i8], align 16\n  %c = call i32 @_setjmp(ptr %b)\n  ret double %v\n}";
    refused(body, "ptr @f, double %a", "returns a second time");
}

#[test]
fn active_variable_arguments() {
    let body = "declare void @llvm.va_start.p0(ptr)\ndefine double @g(i32 %n, ...) {\n  \
        %l = alloca [24 x i8], align 16\n  call void @llvm.va_start.p0(ptr %l)\n  %p = load ptr, ptr %l, align 8\n  \
        %v = load double, ptr %p, align 8\n  ret double %v\n}\n\
        define double @f(double %v) {\n  %r = call double (i32, ...) @g(i32 1, double %v)\n  ret double %r\n}";
    refused(body, "ptr @f, double %a", "a variable argument of a function");
}

/// A module whose `main` is given.
fn told(declarations: &str, main: &str) -> Vec<String> {
    let text = format!(
        "@enzyme_const = external global i32\n@enzyme_dup = external global i32\n\
         declare double @__enzyme_autodiff(ptr, ...)\n\
         {SQUARE}\n{declarations}\ndefine double @main(ptr %x, ptr %dx, double %a) {{\nentry:\n{main}\n}}\n"
    );
    let module = ir::parse(&text, "test").expect("the test's IR parses");
    differentiate(module, &Options::default()).refusals.into_iter().map(|r| r.diagnostic.to_string()).collect()
}

#[track_caller]
fn names(declarations: &str, main: &str, words: &[&str]) {
    let told = told(declarations, main);
    let told = told.join("\n");
    assert!(words.iter().all(|w| told.contains(w)) && words.is_empty() == told.is_empty(), "{words:?}: `{told}`");
}

#[test]
fn unknown_names_of_the_convention() {
    let call = |name: &str| format!("  %r = call double (ptr, ...) @{name}(ptr @f, double %a)\n  ret double %r");
    names(
        "declare double @__enzyme_autodif(ptr, ...)",
        &call("__enzyme_autodif"),
        &["did you mean `__enzyme_autodiff`?"],
    );
    let mangled = "_Z15__enzyme_fwdiffIdJdEET_PvDpT0_";
    names(
        &format!("declare double @{mangled}(ptr, ...)"),
        &call(mangled),
        &["`__enzyme_fwdiff` is no function", "fwddiff`?"],
    );
    // What the program defines itself is its own.
    names("define double @__enzyme_own(ptr %f, ...) {\n  ret double 1.0\n}", &call("__enzyme_own"), &[]);
    let split = "call void @__enzyme_set_mincut(i32 1)\n  ret double 0.0";
    names("declare void @__enzyme_set_mincut(i32)", split, &["`__enzyme_set_mincut` is not implemented"]);
}

#[test]
fn addresses_of_names_of_the_convention() {
    let stored = "  %p = alloca ptr\n  store ptr @__enzyme_autodiff, ptr %p\n  ret double 0.0";
    names("", stored, &["`__enzyme_autodiff` has its address taken here", "at `store ptr @__enzyme_autodiff"]);
    let loaded = "  %p = load ptr, ptr @table\n  ret double 0.0";
    names("@table = global [1 x ptr] [ptr @__enzyme_autodiff]", loaded, &["its address taken here", "(in `table`)"]);
    let marker = "  %r = load i32, ptr @__enzyme_dup\n  ret double 0.0";
    names("@__enzyme_dup = external global i32", marker, &["did you mean `enzyme_dup`?"]);
    let alias = "  %r = call double (ptr, ...) @other(ptr @f, ptr %x, ptr %dx)\n  ret double %r";
    names("@other = alias double (ptr, ...), ptr @__enzyme_autodiff", alias, &[]);
}

#[test]
fn registrations_of_unknown_names() {
    let call = "  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx)\n  ret double %r";
    let variable = |name: &str| format!("@{name} = global [1 x ptr] [ptr @f]");
    names(&variable("__enzyme_inactivefunc"), call, &["did you mean `__enzyme_inactivefn`?"]);
    names(&variable("_ZL21__enzyme_inactivefunc"), call, &["`__enzyme_inactivefunc` is no registration"]);
    names(&variable("_ZTV14__enzyme_class"), call, &[]);
    names("@__enzyme_counter = global i32 0", call, &[]);
}

#[test]
fn a_hint_of_iterations_is_its_first_argument() {
    let iter = "declare i64 @__enzyme_iter(i64, i64)";
    let call = "  %n = call i64 @__enzyme_iter(i64 3, i64 1)\n  %r = uitofp i64 %n to double\n  ret double %r";
    names(iter, call, &[]);
    names(
        &iter.replace("i64 @", "i32 @"),
        &call.replace("i64 @", "i32 @").replace("uitofp i64", "uitofp i32"),
        &["its first argument"],
    );
}

#[test]
fn kernels() {
    let device = "@tile = internal addrspace(3) global [4 x double] undef\ndeclare void @llvm.nvvm.barrier0()\n\
                  declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n";
    let refused = |body: &str, call: &str, words: &str| refused(&format!("{device}{body}"), call, words);
    let body = "define double @f(double %v) {\n  \
        store double %v, ptr addrspacecast (ptr addrspace(3) @tile to ptr), align 8\n\
        %r = load double, ptr addrspacecast (ptr addrspace(3) @tile to ptr), align 8\n  ret double %r\n}";
    refused(
        body,
        "ptr @f, double %a",
        "not supported in gradients of GPU kernels: `tile` is shared memory (address space 3)",
    );
    let direct = body.replace("ptr addrspacecast (ptr addrspace(3) @tile to ptr)", "ptr addrspace(3) @tile");
    refused(&direct, "ptr @f, double %a", "`tile` is shared memory");
    let global = "define double @f(ptr %p) {\n  %g = addrspacecast ptr %p to ptr addrspace(1)\n\
                  %r = load double, ptr addrspace(1) %g, align 8\n  ret double %r\n}";
    refused(global, "ptr @f, ptr %x, ptr %dx", "this is memory of address space 1");
    let waits = "define double @g(double %v) {\n  call void @llvm.nvvm.barrier0()\n  ret double %v\n}\n\
                 define double @f(double %v) {\n  %r = call double @g(double %v)\n  ret double %r\n}";
    refused(waits, "ptr @f, double %a", "`llvm.nvvm.barrier0` is about the threads of a grid");
    let asks = "define double @f(double %v) {\n  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  \
        %n = uitofp i32 %t to double\n\
        %r = fmul double %v, %n\n  ret double %r\n}";
    refused(asks, "ptr @f, double %a", "`llvm.nvvm.read.ptx.sreg.tid.x` is about");
    refused("define ptx_kernel void @f(ptr %p) {\n  ret void\n}", "ptr @f, ptr %x, ptr %dx", "`f` is one");
}

#[test]
fn adjoints_that_threads_share() {
    let device = |args: &str| {
        let text = format!(
            "target triple = \"nvptx64-nvidia-cuda\"\n@enzyme_const = external global i32\n\
             declare double @__enzyme_autodiff(ptr, ...)\n\
             declare double @__enzyme_fwddiff(ptr, ...)\n{SQUARE}\ndefine double @g(double %v) {{\n  \
             %m = fmul double %v, %v\n  ret double %m\n}}\n\
             define double @main(ptr %x, ptr %dx, double %a) {{\nentry:\n  %v = alloca double, align 8\n  \
             %dv = alloca double, align 8\n\
             %r = call double (ptr, ...) @{args}\n  ret double %r\n}}\n"
        );
        let module = ir::parse(&text, "test").expect("the test's IR parses");
        let output = differentiate(module, &Options::default());
        assert!(output.refusals.is_empty(), "{:?}", output.refusals);
        ir::print::print_module(&output.module)
    };
    let adds_at_once = |call: &str| device(&format!("__enzyme_{call}")).contains("atomicrmw fadd");
    assert!(adds_at_once("autodiff(ptr @f, ptr %x, ptr %dx)"), "the threads of a grid share what a pointer leads to");
    for alone in ["autodiff(ptr @g, double %a)", "fwddiff(ptr @f, ptr %x, ptr %dx)"] {
        assert!(!adds_at_once(alone), "{alone}");
    }
}

/// `f` with a pointer `%q` that is made of the bits of `%p`, and read.
fn read_through(made: &str) -> String {
    format!(
        "define double @f(ptr %p) {{\n  %a = ptrtoint ptr %p to i64\n{made}  %v = load double, ptr %q, align 8\n  \
         %m = fmul double %v, %v\n  ret double %m\n}}"
    )
}

#[test]
fn pointers_made_of_numbers() {
    let product = "  %b = mul i64 %a, 3\n  %c = udiv i64 %b, 3\n  %q = inttoptr i64 %c to ptr\n";
    let float = "  %b = uitofp i64 %a to double\n  %c = fptoui double %b to i64\n  %q = inttoptr i64 %c to ptr\n";
    let memory = "  %s = alloca [8 x i8], align 8\n  %b = mul i64 %a, 3\n  %c = udiv i64 %b, 3\n  \
        %l = trunc i64 %c to i32\n  %g = lshr i64 %c, 32\n  %h = trunc i64 %g to i32\n  \
        %t = getelementptr i8, ptr %s, i64 4\n  store i32 %l, ptr %s, align 4\n  store i32 %h, ptr %t, align 4\n  \
        %q = load ptr, ptr %s, align 8\n";
    for made in [product, float, memory] {
        refused(&read_through(made), "ptr @f, i32 %dup, ptr %x, ptr %dx", "put together from numbers");
    }
}

#[test]
fn parts_of_pointers_beside_active_floats() {
    let body = "define double @f(ptr %p, i64 %i) {\n  %s = alloca { double, ptr }, align 8\n  \
        %t = alloca { double, ptr }, align 8\n  %sp = getelementptr { double, ptr }, ptr %s, i64 0, i32 1\n  \
        %tp = getelementptr { double, ptr }, ptr %t, i64 0, i32 1\n  %v = load double, ptr %p, align 8\n  \
        store double %v, ptr %t, align 8\n  store ptr %p, ptr %sp, align 8\n  store ptr %p, ptr %tp, align 8\n  \
        %bs = getelementptr i8, ptr %sp, i64 3\n  %b = load i8, ptr %bs, align 1\n  \
        %bt = getelementptr i8, ptr %t, i64 %i\n  store i8 %b, ptr %bt, align 1\n  %q = load ptr, ptr %tp, align 8\n  \
        %r = load double, ptr %q, align 8\n  %u = load double, ptr %t, align 8\n  %m = fmul double %r, %u\n  \
        ret double %m\n}";
    refused(body, "ptr @f, i32 %dup, ptr %x, ptr %dx, i32 %const, i64 11", "cannot be told apart");
}
