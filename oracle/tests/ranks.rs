//! Gradients of programs that run as ranks: the sum over all ranks of seed times output is what is differentiated.

use adjudicate::report::Report;
use adjudicate::{Error, Verdict, check};

fn judged(text: &str, ranks: &[usize], schedules: u64) -> Report {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ranks.c");
    std::fs::write(&path, text).unwrap();
    let check = check(&path).levels(["O0", "O2"]).ranks(ranks.iter().copied());
    check.schedules(schedules).run().unwrap()
}

/// A program whose ranks call the gradient `df` of `f`, with the number of the rank and that of all ranks.
fn program(primal: &str, reverse: &str) -> String {
    format!(
        "#include \"adj.h\"
#include <math.h>
#include <mpi.h>
static double f(const double *x, int me, int all) {{
{primal}
}}
static void df(const double *x, double *dx, int me, int all, double seed) {{
{reverse}
}}
int main(int argc, char **argv) {{
  int me, all;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  double x[2] = {{1.0 + me, 0.5 * me + 0.25}}, dx[2] = {{0.0, 0.0}};
  __adj_check_gradient((void *)f, (void *)df, enzyme_dup, x, dx, enzyme_const, me, enzyme_const, all, 1.0 + me);
  MPI_Finalize();
  return 0;
}}
"
    )
}

/// y is the square of what the rank to the left has in x[0], times x[1].
const RING: &str = "  double from_left;
  MPI_Request request;
  MPI_Isend(x, 1, MPI_DOUBLE, (me + 1) % all, 7, MPI_COMM_WORLD, &request);
  MPI_Recv(&from_left, 1, MPI_DOUBLE, (me + all - 1) % all, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);";

fn ring(reverse: &str) -> String {
    let primal = format!("{RING}\n  return from_left * from_left * x[1];");
    program(&primal, &format!("{RING}\n{reverse}"))
}

const BACK: &str = "  double adjoint = 2.0 * from_left * x[1] * seed, back;
  dx[1] += from_left * from_left * seed;
  MPI_Isend(&adjoint, 1, MPI_DOUBLE, (me + all - 1) % all, 8, MPI_COMM_WORLD, &request);
  MPI_Recv(&back, 1, MPI_DOUBLE, (me + 1) % all, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  dx[0] += back;";

/// The value expected of a component, by rank: there is an entry for all ranks, which describes one.
fn component(report: &Report, name: &str) -> f64 {
    let found = report.levels[0].gradients[0].components.iter().find(|component| component.name == name);
    found.unwrap_or_else(|| panic!("no {name}\n{report}")).expected
}

#[test]
fn adjoints_that_go_back_around_a_ring_are_correct_for_every_number_of_ranks() {
    let report = judged(&ring(BACK), &[1, 2, 3], 2);
    report.assert_correct();
    let level = &report.levels[0];
    let ranks: Vec<Option<usize>> = level.runs.iter().map(|run| run.circumstances.ranks).collect();
    assert_eq!(ranks, [Some(1), Some(1), Some(2), Some(2), Some(3), Some(3)]);
    // Every rank is judged in every run.
    assert_eq!(level.judged(), 2 * (1 + 2 + 3));
    let basis = level.gradients[0].basis;
    assert!(basis.components == 2 && basis.differences > 0, "{basis:?}");
}

#[test]
fn the_reference_goes_through_the_messages() {
    // Of two ranks x are (1, 0.25) and (2, 0.75), seeds 1 and 2: J = 2²·0.25·1 + 1²·0.75·2.
    let report = judged(&ring("  dx[1] += from_left * from_left * seed;"), &[2], 1);
    assert_eq!(report.verdict, Verdict::Wrong, "{report}");
    assert_eq!(component(&report, "x[0]"), 2.0 * 0.75 * 2.0, "{report}");
    assert_eq!(component(&report, "x[1]"), 4.0, "{report}");
    let finding = report.levels[0].gradients[0].finding.as_ref().unwrap();
    assert!(finding.notes.iter().any(|note| note.message == "on rank 0 of 2"), "{report}");
}

#[test]
fn an_adjoint_that_goes_to_the_wrong_side_is_wrong_with_three_ranks_and_not_with_two() {
    let forward = BACK.replace("(me + all - 1)", "(me + A)").replace("(me + 1)", "(me + all - 1)");
    let text = ring(&forward.replace("(me + A)", "(me + 1)"));
    judged(&text, &[1, 2], 1).assert_correct();
    let report = judged(&text, &[2, 3], 1);
    let finding = report.levels[0].gradients[0].finding.as_ref().unwrap();
    let named = finding.notes.iter().any(|n| n.message.contains("found with `--ranks 3 --threads 4 --seed 0`"));
    assert!(report.verdict == Verdict::Wrong && named, "{report}");
}

#[test]
fn a_halo_is_exchanged_forwards_and_backwards() {
    let halo = include_str!("halo.c");
    judged(halo, &[1, 2, 4], 2).assert_correct();
    let lost = halo.replace("e[N] += from_right", "(void)from_right");
    assert_eq!(judged(&lost, &[3], 1).verdict, Verdict::Wrong);
}

const TOTAL: &str = "  double mine = sin(x[0]) * x[1], total;
  MPI_Allreduce(&mine, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);";

#[test]
fn a_sum_over_all_ranks_has_the_sum_of_all_seeds() {
    let primal = format!("{TOTAL}\n  return total * total;");
    let reverse = |sum: &str| {
        let rest = "  dx[0] += adjoint * cos(x[0]) * x[1];\n  dx[1] += adjoint * sin(x[0]);";
        program(&primal, &format!("{TOTAL}\n  double own = 2.0 * total * seed, adjoint = own;\n{sum}\n{rest}"))
    };
    let right = reverse("  MPI_Allreduce(&own, &adjoint, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);");
    judged(&right, &[1, 3], 2).assert_correct();
    assert_eq!(judged(&reverse(""), &[3], 1).verdict, Verdict::Wrong);
    judged(&reverse(""), &[1], 1).assert_correct();
}

#[test]
fn broadcast_and_product_and_maximum_have_derivatives() {
    let spread = "  double first = x[0], product, most;
  MPI_Bcast(&first, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Allreduce(x + 1, &product, 1, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD);
  MPI_Allreduce(x, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);";
    let primal = format!("{spread}\n  return first * product + most * x[1];");
    let reverse = format!(
        "{spread}
  double dfirst = product * seed, dproduct = first * seed, dmost = x[1] * seed, all_first, all_product, all_most;
  MPI_Reduce(&dfirst, &all_first, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Allreduce(&dproduct, &all_product, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(&dmost, &all_most, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  dx[1] += all_product * (product / x[1]) + most * seed;
  if (me == 0)
    dx[0] += all_first;
  if (me == all - 1)
    dx[0] += all_most;"
    );
    judged(&program(&primal, &reverse), &[1, 3], 1).assert_correct();
    let lowest = reverse.replace("if (me == all - 1)", "if (me == 0)");
    assert_eq!(judged(&program(&primal, &lowest), &[3], 1).verdict, Verdict::Wrong);
}

/// A buffer behind a duplicated pointer is received into: its shadow is sent back and cleared.
fn received(clear: &str) -> String {
    format!(
        "#include \"adj.h\"
#include <mpi.h>
static void move(const double *x, double *y, int me) {{
  if (me == 0)
    MPI_Send(x, 3, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  if (me == 1)
    MPI_Recv(y, 3, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}}
static void move_reverse(const double *x, double *dx, double *y, double *dy, int me) {{
  move(x, y, me);
  double back[3];
  if (me == 1) {{
    MPI_Send(dy, 3, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
    for (int i = 0; i < 3; i++)
      {clear};
  }}
  if (me == 0) {{
    MPI_Recv(back, 3, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < 3; i++)
      dx[i] += back[i];
  }}
}}
int main(int argc, char **argv) {{
  int me;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  double x[3] = {{1, 2, 3}}, dx[3] = {{0.5, 0, 0}}, y[3] = {{0}}, dy[3] = {{1, 2, 4}};
  __adj_check_gradient((void *)move, (void *)move_reverse, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, me);
  MPI_Finalize();
  return me == 1 && y[2] != 3.0;
}}
"
    )
}

#[test]
fn numbers_that_are_only_sent_and_received_are_inputs_and_outputs() {
    judged(&received("dy[i] = 0.0"), &[2], 2).assert_correct();
    let report = judged(&received("(void)back"), &[2], 1);
    assert_eq!(report.verdict, Verdict::Wrong, "{report}");
}

#[test]
fn columns_of_a_matrix_carry_derivatives() {
    let exchange = "  MPI_Datatype column;
  double other[2], own[4] = {x[0], 0.0, x[1], 0.0};
  MPI_Type_vector(2, 1, 2, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  MPI_Sendrecv(own, 1, column, 1 - me, 0, other, 2, MPI_DOUBLE, 1 - me, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);";
    let primal = format!("{exchange}\n  MPI_Type_free(&column);\n  return x[0] * other[1] * other[0];");
    let reverse = format!(
        "{exchange}
  double dother[2] = {{x[0] * other[1] * seed, x[0] * other[0] * seed}}, back[4];
  dx[0] += other[1] * other[0] * seed;
  MPI_Sendrecv(dother, 2, MPI_DOUBLE, 1 - me, 1, back, 1, column, 1 - me, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Type_free(&column);
  dx[0] += back[0];
  dx[1] += back[2];"
    );
    judged(&program(&primal, &reverse), &[2], 2).assert_correct();
}

#[test]
fn a_gradient_without_messages_is_judged_by_itself() {
    let text = program(
        "  return x[0] * x[1] * (me + all);",
        "  dx[0] += x[1] * (me + all) * seed;\n  dx[1] += x[0] * (me + all) * seed;",
    );
    let report = judged(&text.replace("  __adj", "  if (me == 1) __adj"), &[2], 1);
    report.assert_correct();
    assert_eq!(report.levels[0].judged(), 1);
}

#[test]
fn a_call_that_not_all_ranks_make_is_not_judged() {
    let report = judged(&ring(BACK).replace("  __adj", "  if (me == 1) __adj"), &[2], 1);
    assert_eq!(report.verdict, Verdict::Unsupported, "{report}");
    assert!(report.to_string().contains("when all ranks make such a call"), "{report}");
}

#[test]
fn a_gradient_that_receives_what_nobody_sends_is_told() {
    let report = judged(&ring(&BACK.replace("MPI_Isend(&adjoint, 1", "MPI_Isend(&adjoint, 0")), &[2], 1);
    assert_eq!(report.verdict, Verdict::Wrong, "{report}");
    let silent = BACK.replace("8, MPI_COMM_WORLD, &request)", "9, MPI_COMM_WORLD, &request)");
    let report = judged(&ring(&silent), &[2], 1);
    assert_eq!(report.verdict, Verdict::UbInGradient, "{report}");
    assert!(report.to_string().contains("deadlock"), "{report}");
}

#[test]
fn a_message_of_the_gradient_that_nobody_receives_breaks_the_protocol() {
    let more = format!("  MPI_Send(&from_left, 1, MPI_DOUBLE, me, 9, MPI_COMM_WORLD);\n{BACK}");
    let text = ring(&more);
    let report = judged(&text, &[2], 1);
    let finding = report.levels[0].gradients[0].finding.as_ref().unwrap();
    let line = text.lines().position(|line| line.contains("me, 9, MPI_COMM_WORLD")).unwrap() as u32 + 1;
    assert_eq!(finding.verdict, Verdict::Protocol, "{report}");
    assert_eq!(finding.position.as_ref().map(|place| place.line), Some(line), "{report}");
}

#[test]
fn what_ranks_cannot_have_is_wrong_usage() {
    let wrong = |check: adjudicate::Check| matches!(check.run(), Err(Error::Usage(_)));
    assert!(wrong(check("nowhere.c").ranks([2]).native(true)));
    assert!(wrong(check("nowhere.c").ranks([0])) && wrong(check("nowhere.c").ranks([2, 65])));
    assert!(matches!(check("nowhere.c").ranks([2]).function("f").run(), Err(Error::Usage(_))));
}
