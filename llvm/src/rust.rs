//! Rust's allocator, for programs of which the standard library is elsewhere.
//!
//! rustc writes calls of `__rust_alloc` and its like, under names that are mangled with a hash of the compiler; the
//! standard library has them, and hands them to `malloc` unless the program says otherwise (`std::alloc::System`). So
//! that memory can be followed, a module that only declares them gets bodies that do so, *available externally*
//! (LangRef, "Linkage Types"): native code still calls what the program is linked with.

use crate::text::function_of;

/// The functions, with their bodies. `malloc` gives memory for 16 bytes of alignment.
const BODIES: [(&str, &str); 5] = [
    (
        "__rust_alloc",
        "ptr @NAME(i64 %size, i64 %align) noinline {\n  %plain = icmp ule i64 %align, 16\n  br i1 %plain, label %small, \
         label %large\nsmall:\n  %p = call ptr @malloc(i64 %size)\n  ret ptr %p\nlarge:\n  %q = call ptr \
         @aligned_alloc(i64 %align, i64 %size)\n  ret ptr %q\n}\n",
    ),
    (
        "__rust_alloc_zeroed",
        "ptr @NAME(i64 %size, i64 %align) noinline {\n  %plain = icmp ule i64 %align, 16\n  br i1 %plain, label %small, \
         label %large\nsmall:\n  %p = call ptr @calloc(i64 1, i64 %size)\n  ret ptr %p\nlarge:\n  %q = call ptr \
         @aligned_alloc(i64 %align, i64 %size)\n  call void @llvm.memset.p0.i64(ptr %q, i8 0, i64 %size, i1 false)\n  \
         ret ptr %q\n}\n",
    ),
    (
        "__rust_dealloc",
        "void @NAME(ptr %p, i64 %size, i64 %align) noinline {\n  call void @free(ptr %p)\n  ret void\n}\n",
    ),
    (
        "__rust_realloc",
        "ptr @NAME(ptr %p, i64 %old, i64 %align, i64 %new) noinline {\n  %plain = icmp ule i64 %align, 16\n  br i1 \
         %plain, label %small, label %large\nsmall:\n  %q = call ptr @realloc(ptr %p, i64 %new)\n  ret ptr %q\n\
         large:\n  %r = call ptr @aligned_alloc(i64 %align, i64 %new)\n  %less = icmp ult i64 %old, %new\n  \
         %kept = select i1 %less, i64 %old, i64 %new\n  \
         call void @llvm.memcpy.p0.p0.i64(ptr %r, ptr %p, i64 %kept, i1 false)\n  \
         call void @free(ptr %p)\n  ret ptr %r\n}\n",
    ),
    ("__rust_no_alloc_shim_is_unstable_v2", "void @NAME() noinline {\n  ret void\n}\n"),
];

/// What the bodies call.
const CALLED: [(&str, &str); 7] = [
    ("malloc", "ptr @malloc(i64)"),
    ("calloc", "ptr @calloc(i64, i64)"),
    ("realloc", "ptr @realloc(ptr, i64)"),
    ("aligned_alloc", "ptr @aligned_alloc(i64, i64)"),
    ("free", "void @free(ptr)"),
    ("llvm.memset.p0.i64", "void @llvm.memset.p0.i64(ptr, i8, i64, i1)"),
    ("llvm.memcpy.p0.p0.i64", "void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"),
];

/// The text with bodies for the functions that it declares; `None` if it declares none.
pub(crate) fn with_allocator(text: &str) -> Option<String> {
    if !text.contains("__rust_") {
        return None;
    }
    let mut bodies = String::new();
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        match line.strip_prefix("declare ").and_then(of_declaration) {
            Some((name, body)) => {
                bodies.push_str("define available_externally ");
                bodies.push_str(&body.replacen("NAME", name, 1));
            }
            None => {
                out.push_str(line);
                out.push('\n');
            }
        }
    }
    if bodies.is_empty() {
        return None;
    }
    out.push_str(&bodies);
    for (name, declaration) in CALLED {
        let call = format!("@{name}(");
        let known = out
            .lines()
            .any(|line| (line.starts_with("declare ") || line.starts_with("define ")) && line.contains(&call));
        if !known && bodies.contains(&call) {
            out.push_str(&format!("declare {declaration}\n"));
        }
    }
    Some(out)
}

/// The name in a declaration, and the body of the function if it is one of these.
fn of_declaration(declaration: &str) -> Option<(&str, &'static str)> {
    let name = function_of(declaration)?;
    let (_, body) = BODIES.iter().find(|(plain, _)| *plain == plain_name(name))?;
    Some((name, body))
}

/// A name without its mangling (Rust RFC 2603: `…7___rustc`, the length, `_` ahead of a name that begins with one).
fn plain_name(name: &str) -> &str {
    let mangled = name.strip_prefix("_R").and_then(|rest| rest.split_once("7___rustc"));
    mangled.map_or(name, |(_, rest)| {
        let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        rest.strip_prefix('_').unwrap_or(rest)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANGLED: &str = "_RNvCsfLfy6EI15iL_7___rustc12___rust_alloc";

    #[test]
    fn names_are_found_with_and_without_mangling() {
        for name in [MANGLED, "__rust_alloc", "_RNvCs1_7___rustc14___rust_dealloc"] {
            let expected = if name.contains("dealloc") { "__rust_dealloc" } else { "__rust_alloc" };
            assert_eq!(plain_name(name), expected);
        }
        assert_eq!(plain_name("__rust_alloc_error_handler"), "__rust_alloc_error_handler");
    }

    #[test]
    fn what_is_declared_only_gets_a_body_that_llvm_accepts() {
        let functions = ["ptr @NAME(i64, i64)", "ptr @NAME(i64, i64)", "void @NAME(ptr, i64, i64)"];
        let more = ["ptr @NAME(ptr, i64, i64, i64)", "void @NAME()"];
        let mut text = "declare ptr @malloc(i64)\n".to_owned();
        for ((name, _), signature) in BODIES.iter().zip(functions.iter().chain(&more)) {
            text.push_str(&format!("declare {} #0\n", signature.replace("NAME", name)));
        }
        text.push_str("attributes #0 = { nounwind }\n");
        let with = with_allocator(&text).expect("bodies");
        let canonical = crate::canonical_text(with.as_bytes()).expect("valid IR");
        assert_eq!(canonical.matches("define available_externally").count(), BODIES.len());
        assert_eq!(with_allocator("define ptr @__rust_alloc(i64 %a, i64 %b) {\n  ret ptr null\n}\n"), None);
    }
}
