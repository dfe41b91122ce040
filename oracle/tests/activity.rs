//! What is active in an execution must have a derivative in the gradient, also where the numbers agree without it.

use adjudicate::session::{Options, Prepared};
use adjudicate::{Input, Level, Verdict};
use ir::{BinOp, InstKind, Role};

/// At this point the forgotten product contributes nothing: `y` is zero, and so is the weight of the other factor.
const PROGRAM: &str = r#"
#include "adj.h"
static double f(const double *x) {
  double product = x[0] * x[1];
  double unused = x[0] / 3.0;
  return product * x[2] + x[0] * (unused > 0.0 ? 2.0 : 1.0);
}
int main(void) {
  double x[3] = {1.5, 0.25, 0.0}, dx[3] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
  return dx[2] == 0.375 ? 0 : 1;
}
"#;

/// The remarks on the program, when the gradient has no adjoint of operations of one kind.
fn remarks(forgotten: Option<BinOp>) -> (Verdict, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("product.c");
    std::fs::write(&path, PROGRAM).expect("written");
    let module = adjudicate::tools::read(&Input::File(path), Level::O0, &[]).expect("C that compiles");
    let mut output = ad::differentiate(module, &ad::Options::default());
    let operations: Vec<_> =
        output.module.functions.iter().flat_map(|(id, f)| f.inst_order().map(move |(_, i)| (id, i))).collect();
    let is_forgotten = |origin: &ir::Origin| {
        let inst = &output.module.functions[origin.func].insts[origin.inst];
        matches!(inst.kind, InstKind::Binary { op, .. } if Some(op) == forgotten)
    };
    let mut plain = Vec::new();
    for (id, inst) in operations {
        let origin = output.module.functions[id].insts[inst].origin;
        if origin.is_some_and(|o| o.role == Role::Adjoint && is_forgotten(&o)) {
            plain.push((id, inst));
        }
    }
    assert_eq!(plain.is_empty(), forgotten.is_none());
    for (id, inst) in plain {
        if let Some(origin) = &mut output.module.functions[id].insts[inst].origin {
            origin.role = Role::Clone;
        }
    }
    let report = Prepared::of(output).run("O0", "product", &Options::default(), &|_| {});
    (report.verdict(), report.gradients.into_iter().flat_map(|g| g.remarks).collect())
}

#[test]
fn what_is_forgotten_is_told_with_its_line() {
    let (verdict, told) = remarks(Some(BinOp::FMul));
    assert_eq!(verdict, Verdict::Correct);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].starts_with("activity: `") && told[0].contains("fmul") && told[0].contains("(line 4)"), "{told:?}");
}

#[test]
fn what_reaches_no_result_may_be_forgotten() {
    assert_eq!(remarks(Some(BinOp::FDiv)), (Verdict::Correct, Vec::new()));
    assert_eq!(remarks(None), (Verdict::Correct, Vec::new()));
}
