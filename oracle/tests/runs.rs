//! Teams and schedules: parallel gradients are judged with several numbers of threads and under several schedules, and
//! the first run that differs is named so that it can be repeated.

use adjudicate::report::{Finding, Report};
use adjudicate::{Error, Verdict, check};

/// A gradient by hand of Σ x[k[i]]², whose statement in the parallel loop is `body`. `x[k[i]]` are shared by threads.
fn scatter(body: &str) -> String {
    scatter_with("", body)
}

fn scatter_with(before: &str, body: &str) -> String {
    format!(
        "#include \"adj.h\"
#include <omp.h>
#define N 12
static double energy(const double *x, const int *k, int n) {{
  double s = 0.0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i++)
    s += x[k[i]] * x[k[i]];
  return s;
}}
static void energy_reverse(const double *x, double *dx, const int *k, int n, double seed) {{
{before}
#pragma omp parallel for
  for (int i = 0; i < n; i++) {{
    double d = 2.0 * x[k[i]] * seed;
{body}
  }}
}}
int main(void) {{
  double x[4] = {{1.0, 2.0, 3.0, 4.0}}, dx[4] = {{0}};
  int k[N];
  for (int i = 0; i < N; i++)
    k[i] = i * 7 % 4;
  __adj_check_gradient((void *)energy, (void *)energy_reverse, enzyme_dup, x, dx, enzyme_const, k, enzyme_const, N, 1.0);
  return 0;
}}
"
    )
}

const ATOMIC: &str = "#pragma omp atomic\n    dx[k[i]] += d;";

/// No two accesses race, yet a contribution that comes between the load and the store is lost.
const LOST: &str = "    double old;
#pragma omp atomic read seq_cst
    old = dx[k[i]];
    old += d;
#pragma omp atomic write seq_cst
    dx[k[i]] = old;";

const ROOM_FOR_THREE: &str = "  double last[3];";
const IN_THE_ROOM: &str = "    last[omp_get_thread_num()] = d;
#pragma omp atomic
    dx[k[i]] += last[omp_get_thread_num()];";

fn judged(text: &str, teams: &[usize], runs: (u64, u64)) -> Report {
    judged_at("O1", text, teams, runs)
}

fn judged_at(level: &str, text: &str, teams: &[usize], (seed, schedules): (u64, u64)) -> Report {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scatter.c");
    std::fs::write(&path, text).unwrap();
    let check = check(&path).levels([level]).flags(["-fopenmp"]).teams(teams.iter().copied());
    check.seed(seed).schedules(schedules).run().unwrap()
}

/// What the first gradient's finding says.
fn finding(report: &Report) -> &Finding {
    report.levels[0].gradients[0].finding.as_ref().expect("a finding")
}

/// The circumstances that a note names first, of `--threads T --seed S`.
fn named(finding: &Finding) -> (usize, u64) {
    let note = finding.notes.iter().find_map(|note| note.message.strip_prefix("found with `--threads ")).unwrap();
    let (threads, rest) = note.split_once(" --seed ").unwrap();
    (threads.parse().unwrap(), rest.split('`').next().unwrap().parse().unwrap())
}

#[test]
fn atomic_increments_are_correct_with_every_team_and_schedule() {
    let report = judged(&scatter(ATOMIC), &[1, 2, 3, 8], (0, 5));
    report.assert_correct();
    let level = &report.levels[0];
    assert_eq!((level.runs.len(), level.gradients.len(), level.judged()), (20, 1, 20));
    assert!(level.runs.iter().all(|run| run.verdict == Verdict::Correct) && level.gradients[0].steady);
    assert!(report.to_string().contains("in 20 runs each: threads 1 2 3 8, seeds 0 to 4"), "{report}");
}

#[test]
fn a_race_is_a_verdict_with_both_lines_and_one_thread_has_none() {
    let text = scatter("    dx[k[i]] += d;");
    judged(&text, &[1], (0, 3)).assert_correct();
    let report = judged(&text, &[1, 3], (0, 3));
    let (finding, gradient) = (finding(&report), &report.levels[0].gradients[0]);
    assert_eq!((report.verdict, gradient.steady, gradient.run), (Verdict::Race, false, 3));
    let increment = text.lines().position(|line| line.contains("dx[k[i]] += d")).unwrap() as u32 + 1;
    assert_eq!(finding.position.as_ref().map(|p| p.line), Some(increment));
    let other = finding.notes.iter().find(|note| note.message.contains(" here")).and_then(|n| n.position.clone());
    assert_eq!(other.map(|p| p.line), Some(increment), "{report}");
    assert_eq!(named(finding), (3, 0));
}

#[test]
fn a_contribution_that_some_schedules_lose_is_found_and_the_run_can_be_repeated() {
    let text = scatter(LOST);
    let report = judged(&text, &[1, 4], (0, 12));
    assert_eq!(report.verdict, Verdict::Wrong, "{report}");
    let (threads, seed) = named(finding(&report));
    assert_eq!(threads, 4);
    let again = judged(&text, &[threads], (seed, 1));
    assert_eq!((again.verdict, again.levels[0].runs.len()), (Verdict::Wrong, 1));
}

#[test]
fn a_gradient_made_for_three_threads_is_found_with_four() {
    let text = scatter_with(ROOM_FOR_THREE, IN_THE_ROOM);
    judged(&text, &[1, 2, 3], (0, 2)).assert_correct();
    let report = judged(&text, &[3, 4], (0, 2));
    assert_eq!(report.verdict, Verdict::UbInGradient, "{report}");
    assert_eq!(named(finding(&report)), (4, 0));
}

#[test]
fn what_is_wrong_whatever_the_schedule_is_said_to_be() {
    let text = scatter("#pragma omp atomic\n    dx[k[i]] += 1.5 * d;");
    let report = judged(&text, &[1, 2], (0, 2));
    assert_eq!(report.verdict, Verdict::Wrong);
    assert!(finding(&report).notes.iter().any(|n| n.message.starts_with("found in all of 4 runs")), "{report}");
}

/// A sum of squares in the order in which threads come; `order` is that of the gradient's, which computes it anew.
fn total(order: &str, term: &str) -> String {
    format!(
        "#include \"adj.h\"
#define N 12
static void total(const double *x, double *y, int n) {{
  double s = 0.0;
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < n; i++) {{
    double square = x[i] * x[i];
#pragma omp critical
    s += square;
  }}
  y[0] = s;
}}
static void total_reverse(const double *x, double *dx, double *y, double *dy, int n) {{
  double s = 0.0;
#pragma omp parallel for schedule(dynamic)
  for ({order}) {{
    double square = {term};
#pragma omp critical
    s += square;
  }}
  y[0] = s;
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < n; i++)
    dx[i] += 2.0 * x[i] * dy[0];
  dy[0] = 0.0;
}}
int main(void) {{
  double x[N], dx[N] = {{0}}, y[1], dy[1] = {{1.0}};
  for (int i = 0; i < N; i++)
    x[i] = 1.0 / (i + 1.7);
  __adj_check_gradient((void *)total, (void *)total_reverse, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, N);
  return 0;
}}
"
    )
}

#[test]
fn bits_that_the_schedule_decides_are_not_asked_of_the_gradient() {
    let backwards = "int i = n - 1; i >= 0; i--";
    let report = judged(&total(backwards, "x[i] * x[i]"), &[3, 4], (0, 6));
    report.assert_correct();
    // One thread has one order.
    let report = judged(&total(backwards, "x[i] * x[i]"), &[1], (0, 1));
    assert_eq!(report.verdict, Verdict::Wrong, "{report}");
    // What is another number in exact arithmetic is another result, however little that is.
    let report = judged(&total(backwards, "x[i] * x[i] * (1.0 + (i == 5) * 0x1p-52)"), &[4], (0, 6));
    assert_eq!(report.verdict, Verdict::Wrong, "{report}");
}

/// A product in the order in which threads come, which leaves in constant memory what each of them has found; `then` is
/// what its gradient by hand does last.
fn product(then: &str) -> String {
    format!(
        "#include \"adj.h\"
static double product(const double *rate, double *found, int *turn, int n) {{
  double left = 1.0;
  int turns = 0;
#pragma omp parallel for num_threads(3)
  for (int i = 0; i < n; i++) {{
#pragma omp critical
    {{
      found[i] = left;
      left *= rate[i];
      turn[turns++] = i;
    }}
  }}
  found[n] = 1.5;
  return left;
}}
static void product_reverse(const double *rate, double *drate, double *found, int *turn, int n, double seed) {{
  product(rate, found, turn, n);
  double dleft = seed;
  for (int k = n - 1; k >= 0; k--) {{
    int i = turn[k];
    drate[i] += found[i] * dleft;
    dleft *= rate[i];
  }}
  {then}
}}
int main(void) {{
  double rate[5] = {{0.5, 0.75, 1.5, 0.25, 1.25}}, drate[5] = {{0}}, found[6] = {{0}};
  int turn[5];
  __adj_check_gradient((void *)product, (void *)product_reverse, enzyme_dup, rate, drate, enzyme_const, found,
                       enzyme_const, turn, enzyme_const, 5, 1.0);
  return 0;
}}
"
    )
}

#[test]
fn numbers_that_the_schedule_decides_are_not_asked_of_the_gradient() {
    for seed in 0..6 {
        judged_at("O0", &product(""), &[3], (seed, 1)).assert_correct();
    }
    // What it leaves under every schedule is.
    let report = judged(&product("found[n] = 2.5;"), &[3], (0, 1));
    assert_eq!(report.verdict, Verdict::Wrong, "{report}");
}

/// A recurrence in the order in which threads come, and a square of its own; the gradient by hand takes the iterations
/// in their order.
fn recurrence(square: &str) -> String {
    format!(
        "#include \"adj.h\"
static double recurrence(const double *x, int n, double a) {{
  double s = 1;
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < n; i++)
#pragma omp critical
    s = s * x[i] + 1;
  return s + a * a;
}}
static double recurrence_reverse(const double *x, double *dx, int n, double a, double seed) {{
  double before[8], s = 1, w = seed;
  for (int i = 0; i < n; i++) {{
    before[i] = s;
    s = s * x[i] + 1;
  }}
  for (int i = n - 1; i >= 0; i--) {{
    dx[i] += before[i] * w;
    w *= x[i];
  }}
  return {square};
}}
int main(void) {{
  double x[8] = {{1, 2, 3, 4, 5, 6, 7, 8}}, dx[8] = {{0}};
  __adj_check_gradient((void *)recurrence, (void *)recurrence_reverse, enzyme_dup, x, dx, enzyme_const, 8, 1.5, 1.0);
  return 0;
}}
"
    )
}

#[test]
fn a_derivative_that_the_schedule_decides_is_undecided() {
    let report = judged(&recurrence("2 * a * seed"), &[3], (0, 6));
    assert_eq!(report.verdict, Verdict::Undecided, "{report}");
    assert!(finding(&report).message.contains("depends on the schedule"), "{report}");
    // One thread has one order.
    judged(&recurrence("2 * a * seed"), &[1], (0, 2)).assert_correct();
    // What no schedule changes is as wrong as ever.
    let report = judged(&recurrence("3 * a * seed"), &[3], (0, 1));
    assert_eq!(report.verdict, Verdict::Wrong, "{report}");
    assert!(finding(&report).message.contains("it should be 3"), "{report}");
}

#[test]
fn a_tangent_that_the_schedule_decides_is_undecided() {
    let by_hand = recurrence("2 * a * seed");
    let (primal, _) = by_hand.split_once("static double recurrence_reverse").expect("the gradient is there");
    let text = format!(
        "{primal}
int main(void) {{
  double x[8] = {{1, 2, 3, 4, 5, 6, 7, 8}}, dx[8] = {{1, -1, 0.5, 0.25, 2, 1, -0.5, 3}};
  __enzyme_fwddiff((void *)recurrence, enzyme_dup, x, dx, enzyme_const, 8, enzyme_const, 1.5);
  return 0;
}}
"
    );
    let report = judged(&text, &[3], (0, 8));
    assert!(report.verdict <= Verdict::Undecided, "{report}");
}

/// A single thread executes its tasks in one order or another.
#[test]
fn the_order_of_tasks_of_one_thread_decides_numbers() {
    let tasks = "#include <adj.h>
static void f(const double *x, double *y, int n) {
  double product = 1;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(1) shared(product)
  for (int i = 0; i < n; i++) {
    double own = 1 + 0.1 * x[i] * x[i];
#pragma omp atomic
    product *= own;
  }
  *y = product;
}
int main(void) {
  double x[6] = {0.3, 0.7, 1.1, 1.3, 0.9, 0.37}, dx[6] = {0}, y = 0, dy = 1;
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_dup, &y, &dy, enzyme_const, 6);
  return 0;
}
";
    for seed in 1..5 {
        judged_at("O1", tasks, &[1], (seed, 1)).assert_correct();
    }
}

#[test]
fn runs_that_cannot_be_made_are_wrong_usage() {
    let wrong = |teams: &[usize], schedules| {
        let check = check("nowhere.c").teams(teams.iter().copied()).schedules(schedules);
        matches!(check.run(), Err(Error::Usage(_)))
    };
    assert!(wrong(&[0], 1) && wrong(&[2], 0) && wrong(&[], 1) && wrong(&[4096], 1));
}

/// Each thread of a region differentiates; `shadow` is where thread `t` adds.
fn in_threads(shadow: &str, behind: &str) -> String {
    format!(
        "#include <adj.h>
static double f(const double *x) {{ return x[0] * x[0]; }}
int main(void) {{
  double x = 3.0, dx[4] = {{0}}, other = 0.0;
#pragma omp parallel for num_threads(4)
  for (int t = 0; t < 4; t++) {{
    __enzyme_autodiff((void *)f, enzyme_dup, &x, {shadow});
    {behind}
  }}
  return dx[3] + other < 0.0;
}}
"
    )
}

#[test]
fn gradients_that_threads_compute_side_by_side_must_not_share_a_shadow() {
    let report = judged(&in_threads("&dx[t]", ""), &[4], (0, 4));
    report.assert_correct();
    assert_eq!(report.levels[0].judged(), 16);
    let report = judged(&in_threads("&dx[0]", ""), &[4], (0, 1));
    assert_eq!(report.verdict, Verdict::Race, "{report}");
    let place = report.levels[0].problems[0].position.as_ref().map(|place| place.line);
    assert_eq!(place, Some(2), "{report}");
}

#[test]
fn a_race_of_the_program_behind_a_gradient_is_its_own() {
    let text = in_threads("&dx[t]", "other += 1.0;");
    let report = judged(&text, &[4], (0, 1));
    assert_eq!(report.verdict, Verdict::UbInPrimal, "{report}");
    assert!(report.to_string().contains("race"), "{report}");
}
