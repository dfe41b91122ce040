//! The judge is judged: faults planted in its own lanes, in its taint and in its differences never make `correct` of a
//! wrong gradient, nor `wrong` of a right one.
//!
//! Each program computes x² + z² + y, where y is made of x by way of what the fault forgets. Its gradient is given by
//! hand: once the right one, once one that has the same gap as the judge with the fault. That the fault matters shows
//! in a judge that goes without its other half.

mod rows;

use adjudicate::Verdict;
use adjudicate::judge::planted::{Planted, Sums, Without};
use adjudicate::session;
use adjudicate::session::Options;
use interp::Forgets;
use rows::{of_lanes, of_sums, of_taint, of_words};

/// The point.
const X: f64 = 0.75;
const Z: f64 = 0.5;

/// A fault, and the program in which it matters.
struct Row {
    fault: Fault,
    /// Makes `%y` of `%x`, which is loaded from `%p`.
    body: &'static str,
    /// What stands around the function.
    around: &'static str,
    /// The derivative by x.
    right: f64,
    /// The gradient with the gap.
    gap: [f64; 2],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    /// Of the lanes: differences catch it. It is planted in the taint as well, as one in the engine would be.
    Lanes(Forgets),
    /// Of the taint, where lanes are lost: the comparison of lanes and differences in every call catches it.
    Taint(Forgets),
    /// Of the sums of lanes: differences catch it.
    Reference(Sums),
    /// Of the differences: lanes catch it.
    Differences(Sums),
    /// Of the decisions that differences look at: lanes catch it.
    Decisions(Forgets),
}

impl Row {
    /// The judge with the fault.
    fn planted(&self) -> Planted {
        let none = Planted::default();
        match self.fault {
            Fault::Lanes(what) => Planted { lanes: Some(what), ..none },
            Fault::Taint(what) | Fault::Decisions(what) => Planted { taint: Some(what), ..none },
            Fault::Reference(what) | Fault::Differences(what) => Planted { sums: Some(what), ..none },
        }
    }

    /// The judge with the fault and without what catches it.
    fn alone(&self) -> Planted {
        let planted = self.planted();
        match self.fault {
            Fault::Lanes(_) | Fault::Reference(_) => Planted { without: Some(Without::Differences), ..planted },
            Fault::Taint(_) => Planted { without: Some(Without::Directions), ..planted },
            Fault::Differences(_) | Fault::Decisions(_) => Planted { lanes: Some(Forgets::Everything), ..planted },
        }
    }
}

const DECLARED: &str = "@enzyme_dup = external global i32
@format = internal constant [6 x i8] c\"%.17g\\00\"
@half = internal constant double 5.000000e-01
@table = internal global [1 x ptr] [ptr @exp]
declare void @__adj_check_gradient(ptr, ptr, ...)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare <2 x double> @llvm.masked.load.v2f64.p0(ptr, i32, <2 x i1>, <2 x double>)
declare double @llvm.experimental.constrained.fadd.f64(double, double, metadata, metadata)
declare double @llvm.fma.f64(double, double, double)
declare double @llvm.maxnum.f64(double, double)
declare i64 @llvm.bswap.i64(i64)
declare void @llvm.va_start.p0(ptr)
declare void @llvm.va_end.p0(ptr)
declare double @exp(double)
declare void @sincos(double, ptr, ptr)
declare ptr @malloc(i64)
declare ptr @realloc(ptr, i64)
declare void @free(ptr)
declare ptr @memcpy(ptr, ptr, i64)
declare void @qsort(ptr, i64, i64, ptr)
declare i32 @snprintf(ptr, i64, ptr, ...)
declare double @strtod(ptr, ptr)
declare ptr @tmpfile()
declare i64 @fwrite(ptr, i64, i64, ptr)
declare i64 @fread(ptr, i64, i64, ptr)
declare void @rewind(ptr)
declare i32 @fclose(ptr)
define void @seen(ptr %p) {
  ret void
}
";

/// The program with that gradient.
fn program(row: &Row, [by_x, by_z]: [f64; 2]) -> String {
    let number =
        |v: f64| format!("{:#018x}", v.to_bits()).replacen("0x", "0x", 1).to_uppercase().replacen("0X", "0x", 1);
    let (body, around) = (row.body, row.around);
    format!(
        "{DECLARED}{around}
define double @f(ptr %p) {{
start:
  %q = getelementptr double, ptr %p, i64 1
  %x = load double, ptr %p, align 8
  %z = load double, ptr %q, align 8
  %none = icmp eq ptr %p, null
{body}
  %xx = fmul double %x, %x
  %zz = fmul double %z, %z
  %s = fadd double %xx, %zz
  %r = fadd double %s, %y
  ret double %r
}}
define void @df(ptr %p, ptr %d, double %seed) {{
  %q = getelementptr double, ptr %d, i64 1
  %a = load double, ptr %d, align 8
  %b = load double, ptr %q, align 8
  %s = fmul double %seed, {}
  %t = fmul double %seed, {}
  %u = fadd double %a, %s
  %v = fadd double %b, %t
  store double %u, ptr %d, align 8
  store double %v, ptr %q, align 8
  ret void
}}
define i32 @main() {{
  %p = alloca [2 x double], align 8
  %d = alloca [2 x double], align 8
  %p1 = getelementptr double, ptr %p, i64 1
  %d1 = getelementptr double, ptr %d, i64 1
  store double {}, ptr %p, align 8
  store double {}, ptr %p1, align 8
  store double 0.0, ptr %d, align 8
  store double 0.0, ptr %d1, align 8
  %dup = load i32, ptr @enzyme_dup
  call void (ptr, ptr, ...) @__adj_check_gradient(ptr @f, ptr @df, i32 %dup, ptr %p, ptr %d, double 1.0)
  ret i32 0
}}
",
        number(by_x),
        number(by_z),
        number(X),
        number(Z)
    )
}

/// The same with a tangent by hand, along (1, 1).
fn tangent(row: &Row, [by_x, by_z]: [f64; 2]) -> String {
    let text = program(row, [by_x, by_z]);
    let (function, main) = (text.find("define void @df").unwrap(), text.find("define i32 @main").unwrap());
    let derivative = "define double @df(ptr %p, ptr %d) {
  %q = getelementptr double, ptr %d, i64 1
  %a = load double, ptr %d, align 8
  %b = load double, ptr %q, align 8
  %s = fmul double %a, BY_X
  %t = fmul double %b, BY_Z
  %r = fadd double %s, %t
  ret double %r
}
";
    let bits = |v: f64| format!("0x{:016X}", v.to_bits());
    let derivative = derivative.replace("BY_X", &bits(by_x)).replace("BY_Z", &bits(by_z));
    let main = text[main..]
        .replace("double 0.0", "double 1.0")
        .replace("@__adj_check_gradient", "@__adj_check_tangent")
        .replace(", double 1.0)", ")");
    let declared = text[..function].replace(
        "declare void @__adj_check_gradient(ptr, ptr, ...)",
        "declare void @__adj_check_tangent(ptr, ptr, ...)",
    );
    format!("{declared}{derivative}{main}")
}

fn verdict(row: &Row, slopes: [f64; 2], planted: Planted) -> Verdict {
    judged(row, &program(row, slopes), planted)
}

fn judged(row: &Row, text: &str, planted: Planted) -> Verdict {
    let module = ir::parse(text, "blind").unwrap_or_else(|e| panic!("{:?}: {e}", row.fault));
    let report = session::run(module, "O0", "blind", &Options { planted, ..Options::default() }, &|_| {});
    assert!(report.problems.is_empty(), "{:?}: {:?}", row.fault, report.problems);
    let [gradient] = report.gradients.as_slice() else { panic!("{:?}: one gradient", row.fault) };
    gradient.verdict
}

fn rows() -> Vec<Row> {
    of_lanes().into_iter().chain(of_taint()).chain(of_sums()).collect()
}

/// What a judge says of the right gradient and of the one with the gap.
fn both(row: &Row, planted: Planted) -> [Verdict; 2] {
    [verdict(row, [row.right, 2.0 * Z], planted), verdict(row, row.gap, planted)]
}

#[test]
fn without_a_fault_both_are_told_apart() {
    assert!(rows().len() >= 70, "{} faults", rows().len());
    for row in rows() {
        assert_eq!(both(&row, Planted::default()), [Verdict::Correct, Verdict::Wrong], "{:?}", row.fault);
    }
}

/// Where lanes are lost, the taint alone leads to the differences.
#[test]
fn the_taint_needs_no_directions() {
    for row in of_taint().into_iter().chain(of_words()) {
        let [right, gap] = both(&row, Planted { without: Some(Without::Directions), ..Planted::default() });
        assert!(right != Verdict::Wrong && gap == Verdict::Wrong, "{:?} {}: {right:?}, {gap:?}", row.fault, row.body);
    }
}

#[test]
fn each_fault_matters() {
    let [mut idle, mut table] = [String::new(), String::new()];
    for row in rows() {
        let [right, gap] = both(&row, row.alone());
        table += &format!("{:?}: right {right:?}, gap {gap:?}\n", row.fault);
        if right != Verdict::Wrong && gap != Verdict::Correct {
            idle += &format!("{:?}: right {right:?}, gap {gap:?}\n", row.fault);
        }
    }
    println!("{table}");
    assert!(idle.is_empty(), "the judge without its other half does not notice:\n{idle}");
}

#[test]
fn no_fault_makes_the_judge_say_the_wrong_thing() {
    let [mut escaped, mut table] = [String::new(), String::new()];
    for row in rows() {
        let planted = row.planted();
        // A fault in the engine is one in all that ride along.
        let shared = Planted { taint: planted.lanes.or(planted.taint), ..planted };
        for planted in [planted, shared] {
            let [right, gap] = both(&row, planted);
            table += &format!("{planted:?}: right {right:?}, gap {gap:?}\n");
            if right == Verdict::Wrong || gap == Verdict::Correct {
                escaped += &format!("{planted:?}: right {right:?}, gap {gap:?}\n");
            }
        }
    }
    println!("{table}");
    assert!(escaped.is_empty(), "these faults are not noticed:\n{escaped}");
}

/// The faults of the lanes, in forward mode: there, too, differences catch what lanes forget.
#[test]
fn tangents_have_a_second_reference() {
    let (mut mattered, mut escaped) = (0, String::new());
    for row in of_lanes() {
        let gap = |planted| judged(&row, &tangent(&row, row.gap), planted);
        let right = |planted| judged(&row, &tangent(&row, [row.right, 2.0 * Z]), planted);
        let none = Planted::default();
        assert_eq!([right(none), gap(none)], [Verdict::Correct, Verdict::Wrong], "{:?}", row.fault);
        mattered += usize::from(gap(row.alone()) == Verdict::Correct);
        let verdicts = [right(row.planted()), gap(row.planted())];
        if verdicts[0] == Verdict::Wrong || verdicts[1] == Verdict::Correct {
            escaped += &format!("{:?}: {verdicts:?}\n", row.fault);
        }
    }
    assert!(mattered > 30, "only {mattered} faults matter");
    assert!(escaped.is_empty(), "these faults are not noticed:\n{escaped}");
}
