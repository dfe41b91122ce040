//! The check of shadows accepts what the analysis of memory finds, and refuses what it finds with any of its parts
//! taken out: each of
//! these would make a shadow disappear, and a derivative with it.

use ad::inside::{Blind, Facts, check_shadows, collect};
use ad::{Activity, Diagnostic};

const DECLARED: &str = "declare ptr @malloc(i64)\ndeclare double @sin(double)\n\
             declare void @sincos(double, ptr, ptr)\n\
                        declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n";

/// A program `f` in which that part matters: `%x` is duplicated memory, `%c` constant.
fn program(blind: Blind) -> &'static str {
    match blind {
        Blind::PhiPointer => {
            "define double @f(ptr %x, ptr %c) {\nentry:\n  br label %next\nnext:\n  %p = phi ptr [ %x, %entry ]\n\
             %v = load double, ptr %p, align 8\n  ret double %v\n}"
        }
        Blind::SelectedPointer => {
            "define double @f(ptr %x, ptr %c) {\n  %own = alloca double, align 8\n  %some = icmp eq ptr %x, null\n\
             %p = select i1 %some, ptr %x, ptr %own\n  %v = load double, ptr %p, align 8\n  ret double %v\n}"
        }
        Blind::MovedPointer => {
            "define double @f(ptr %x, ptr %c) {\n  %p = getelementptr double, ptr %x, i64 1\n\
             %v = load double, ptr %p, align 8\n\
             ret double %v\n}"
        }
        Blind::StoredPointer | Blind::LoadedPointer | Blind::ShadowOfPointers => {
            "define double @f(ptr %x, ptr %c) {\n  %own = alloca ptr, align 8\n  store ptr %x, ptr %own, align 8\n\
             %p = load ptr, ptr %own, align 8\n  %v = load double, ptr %p, align 8\n  ret double %v\n}"
        }
        Blind::CopiedPointer => {
            "define double @f(ptr %x, ptr %c) {\n  %a = alloca ptr, align 8\n  %b = alloca ptr, align 8\n\
             store ptr %x, ptr %a, align 8\n\
             call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 8, i1 false)\n  %p = load ptr, ptr %b, align 8\n\
             %v = load double, ptr %p, align 8\n  ret double %v\n}"
        }
        Blind::PassedPointer => {
            "define double @g(ptr %p) {\n  %v = load double, ptr %p, align 8\n  ret double %v\n}\n\
             define double @f(ptr %x, ptr %c) {\n  %v = call double @g(ptr %x)\n  ret double %v\n}"
        }
        Blind::ReturnedPointer => {
            "define ptr @g(ptr %p) {\n  ret ptr %p\n}\n\
             define double @f(ptr %x, ptr %c) {\n  %p = call ptr @g(ptr %x)\n\
             %v = load double, ptr %p, align 8\n  ret double %v\n}"
        }
        Blind::StoredActivity | Blind::LoadedActivity | Blind::ShadowOfActive => {
            "define double @f(ptr %x, ptr %c) {\n  %own = alloca double, align 8\n\
             %v = load double, ptr %x, align 8\n\
             store double %v, ptr %own, align 8\n  %w = load double, ptr %own, align 8\n  ret double %w\n}"
        }
        Blind::CopiedActivity => {
            "define double @f(ptr %x, ptr %c) {\n  %own = call ptr @malloc(i64 8)\n\
             call void @llvm.memcpy.p0.p0.i64(ptr %own, ptr %x, i64 8, i1 false)\n\
             %w = load double, ptr %own, align 8\n  ret double %w\n}"
        }
        Blind::PassedActivity | Blind::ReturnedActivity => {
            "define double @g(double %v) {\n  %w = fmul double %v, 2.0\n  ret double %w\n}\n\
             define double @f(ptr %x, ptr %c) {\n  %v = load double, ptr %x, align 8\n\
             %w = call double @g(double %v)\n  ret double %w\n}"
        }
        Blind::ConvertedActivity => {
            "define float @f(ptr %x, ptr %c) {\n  %v = load double, ptr %x, align 8\n\
             %w = fptrunc double %v to float\n  ret float %w\n}"
        }
        Blind::ComputedActivity => {
            "define double @f(ptr %x, ptr %c) {\n  %v = load double, ptr %x, align 8\n\
             %w = fmul double %v, %v\n  ret double %w\n}"
        }
        Blind::RuleActivity => {
            "define double @f(ptr %x, ptr %c) {\n  %v = load double, ptr %x, align 8\n\
             %w = call double @sin(double %v)\n  ret double %w\n}"
        }
        Blind::RuleOutput => {
            "define double @f(ptr %x, ptr %c) {\n  %s = alloca double, align 8\n  %t = alloca double, align 8\n\
             %v = load double, ptr %x, align 8\n  call void @sincos(double %v, ptr %s, ptr %t)\n\
             %w = load double, ptr %s, align 8\n\
             ret double %w\n}"
        }
        Blind::CarriedFloat => {
            "define double @f(ptr %x, ptr %c) {\n  %own = alloca double, align 8\n\
             %d = load double, ptr %x, align 8\n\
             %i = load i64, ptr %x, align 8\n  store i64 %i, ptr %own, align 8\n\
             %w = load double, ptr %own, align 8\n  ret double %w\n}"
        }
        Blind::ReadAgain => {
            "define double @f(ptr %x, ptr %c) {\n  %own = alloca double, align 8\n  %some = icmp eq ptr %x, null\n\
             %p = select i1 %some, ptr %c, ptr %own\n  %v = load double, ptr %x, align 8\n\
             store double %v, ptr %p, align 8\n\
             %w = load double, ptr %p, align 8\n  ret double %w\n}"
        }
    }
}

fn checked(blind: Blind, planted: bool) -> Result<(), Diagnostic> {
    checked_program(program(blind), blind, planted)
}

fn checked_program(text: &str, blind: Blind, planted: bool) -> Result<(), Diagnostic> {
    let text = format!("{DECLARED}{text}");
    let mut m = ir::parse(&text, "test").expect("the test's IR parses");
    let root = m.function("f").expect("it is there");
    let sources = collect(&mut m, root).expect("it has a form that is read");
    let activities = [Activity::Dup, Activity::Const];
    let facts = match planted {
        true => Facts::analyse_blind(&m, &sources, root, &activities, blind),
        false => Facts::analyse(&m, &sources, root, &activities, &Default::default()),
    };
    check_shadows(&m, &sources, &facts.expect("it converges"))
}

#[test]
fn what_is_found_is_accepted() {
    for blind in Blind::ALL {
        assert_eq!(checked(blind, false), Ok(()), "{blind:?}");
    }
}

#[test]
fn what_is_overlooked_is_refused() {
    let passed: Vec<Blind> = Blind::ALL.into_iter().filter(|blind| checked(*blind, true).is_ok()).collect();
    assert!(passed.is_empty(), "nobody saw {passed:?}");
}

#[test]
fn the_refusal_names_the_place() {
    let refusal = checked(Blind::ComputedActivity, true).expect_err("the product is active");
    assert!(refusal.to_string().contains("at `%w = fmul double %v, %v`"), "{refusal}");
}

/// Adding 1.5·2⁵² may be half of a rounding, in the lanes where it is added.
#[test]
fn a_constant_that_rounds_in_one_lane_excuses_no_other() {
    let sum = |other: &str| {
        format!(
            "define double @f(ptr %x, ptr %c) {{\n  %v = load <2 x double>, ptr %x, align 16\n\
             %w = fadd <2 x double> %v, <double 0x4338000000000000, double {other}>\n\
             %e = extractelement <2 x double> %w, i32 1\n  ret double %e\n}}"
        )
    };
    let checked = |other: &str| checked_program(&sum(other), Blind::ComputedActivity, true);
    assert_eq!(checked("0x4338000000000000"), Ok(()));
    let refusal = checked("1.0").expect_err("the second lane is active");
    assert!(refusal.to_string().contains("at `%w = fadd"), "{refusal}");
}

/// A function whose active values end in its own variables needs no tangent, and is no bug.
#[test]
fn what_is_dead_needs_no_derivative() {
    let text = "@enzyme_dup = external global i32\ndeclare double @__enzyme_fwddiff(ptr, ...)\n\
        define void @waste(ptr %x) noinline {\n  %own = alloca double, align 8\n  %v = load double, ptr %x, align 8\n\
        %w = fmul double %v, %v\n  store volatile double %w, ptr %own, align 8\n  ret void\n}\n\
        define double @f(ptr %x) {\n  call void @waste(ptr %x)\n  %v = load double, ptr %x, align 8\n  ret double %v\n\
        }\n\
        define double @main(ptr %x, ptr %dx) {\n  %dup = load i32, ptr @enzyme_dup, align 4\n\
        %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @f, i32 %dup, ptr %x, ptr %dx)\n  ret double %r\n}\n";
    let out = ad::differentiate(ir::parse(text, "test").expect("the test's IR parses"), &ad::Options::default());
    assert!(out.refusals.is_empty(), "{}", out.refusals[0].diagnostic);
}
