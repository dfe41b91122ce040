//! Vector intrinsics of x86 for which LLVM has no instruction, in IR.
//!
//! Code written with `<immintrin.h>` is mostly ordinary IR after clang; some instructions remain as `llvm.x86.…`. What
//! they compute is known (Intel, Software Developer's Manual, volume 2, under the instruction's name; SSE to AVX2
//! without what works on strings and bytes), and IR that says it can be executed, optimised and differentiated. Each
//! declaration becomes a definition, which LLVM writes out where it is called. Reciprocals (`rcpps`, `rsqrtps`) are
//! approximations that differ from processor to processor, and stay.

mod body;

use crate::error::Error;
use crate::pipeline;
use crate::text::TIME_LIMIT;
use body::{Definition, Signature};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The module with such intrinsics replaced.
pub(crate) fn said_in_ir<'a>(text: &'a str, file: &str) -> Result<Cow<'a, str>, Error> {
    if !text.contains("@llvm.x86.") {
        return Ok(Cow::Borrowed(text));
    }
    let (mut known, mut rest) = (Vec::new(), String::new());
    for line in text.lines() {
        match known_here(line) {
            Some(found) => known.push(found),
            None => rest.extend([line, "\n"]),
        }
    }
    if known.is_empty() {
        return Ok(Cow::Borrowed(text));
    }
    let mut needed = BTreeSet::new();
    for (signature, definition) in known {
        rest = rest.replace(&format!("@{}(", signature.name), &format!("@{}(", signature.own_name()));
        rest.push_str(&definition.text);
        needed.extend(definition.declarations);
    }
    for declaration in needed {
        let callee = declaration.split_once('@').and_then(|(_, rest)| rest.split('(').next()).unwrap_or_default();
        let there = |line: &str| line.starts_with("declare ") && line.contains(&format!("@{callee}("));
        if !rest.lines().any(there) {
            rest.push_str(&declaration);
            rest.push('\n');
        }
    }
    pipeline::run_on(file, &rest, "always-inline", TIME_LIMIT).map(Cow::Owned)
}

fn known_here(line: &str) -> Option<(Signature<'_>, Definition)> {
    let signature = Signature::parse(line)?;
    let definition = signature.definition()?;
    Some((signature, definition))
}

#[cfg(test)]
mod tests {
    use super::said_in_ir;

    fn lowered(text: &str) -> String {
        said_in_ir(text, "f.ll").unwrap().into_owned()
    }

    #[test]
    fn the_maximum_is_a_choice() {
        let text = "
define <2 x double> @f(<2 x double> %x, <2 x double> %y) {
  %r = call <2 x double> @llvm.x86.sse2.max.pd(<2 x double> %x, <2 x double> %y)
  ret <2 x double> %r
}
declare <2 x double> @llvm.x86.sse2.max.pd(<2 x double>, <2 x double>) #1
attributes #1 = { nounwind }
";
        let out = lowered(text);
        assert!(out.contains("fcmp ogt <2 x double> %x, %y") && out.contains("select <2 x i1>"), "{out}");
        assert!(!out.contains("x86.sse2"), "{out}");
    }

    #[test]
    fn an_immediate_chooses_the_rounding() {
        let text = "
define <4 x float> @f(<4 x float> %x) {
  %r = call <4 x float> @llvm.x86.sse41.round.ps(<4 x float> %x, i32 9)
  ret <4 x float> %r
}
declare <4 x float> @llvm.x86.sse41.round.ps(<4 x float>, i32 immarg)
";
        let out = lowered(text);
        assert!(out.contains("call <4 x float> @llvm.floor.v4f32(<4 x float> %x)"), "{out}");
    }

    #[test]
    fn what_is_approximate_or_unknown_stays() {
        let text = "declare <4 x float> @llvm.x86.sse.rsqrt.ps(<4 x float>)\n";
        assert_eq!(lowered(text), text);
    }
}
