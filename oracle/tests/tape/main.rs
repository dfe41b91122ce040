//! What gradients keep: counted by hand where that can be done, and in proportion to the work of the primal.

mod memory;

use adjudicate::check;
use adjudicate::report::{Report, Tape};

fn measured(text: &str, levels: &[&str], args: &[&str]) -> Report {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kept.c");
    std::fs::write(&path, format!("#include <adj.h>\n#include <math.h>\n#include <stdlib.h>\n{text}")).unwrap();
    let report = check(path).levels(levels).args(args.iter().copied()).tape(true).run().unwrap();
    report.assert_correct();
    report
}

fn tapes(report: &Report) -> Vec<&Tape> {
    report.levels.iter().flat_map(|l| &l.gradients).map(|g| g.tape.as_ref().unwrap()).collect()
}

/// Bytes and writes of the lines with values, and of the rest.
fn parts(tape: &Tape) -> [(u64, u64); 2] {
    ["values", "control"].map(|what| {
        let lines = || tape.lines.iter().filter(|line| line.what == what);
        (lines().map(|l| l.bytes).sum(), lines().map(|l| l.writes).sum())
    })
}

#[test]
fn one_double_a_trip_is_eight_bytes_a_trip_on_its_line() {
    let text = "static double iterate(double x, int n) {
  for (int i = 0; i < n; i++)
    x = sin(x);
  return x;
}
int main(void) { return __enzyme_autodiff((void *)iterate, 0.5, 100) > 2.0; }";
    let report = measured(text, &["O0", "O1", "O2", "O3"], &[]);
    for (level, tape) in report.levels.iter().zip(tapes(&report)) {
        // The argument of each sine, and nothing else; without optimisation the test stands before the body, where x is
        // the result too.
        let values = if level.level == "O0" { 101 } else { 100 };
        assert_eq!(parts(tape)[0], (8 * values, values), "{}", level.level);
        let lines: Vec<u32> =
            tape.lines.iter().filter(|l| l.what == "values").filter_map(|l| Some(l.position.as_ref()?.line)).collect();
        assert_eq!(lines, [6], "{}", level.level);
        // Where the number of trips is known on entry: that number, where the array lies, and (in 4 bytes) whether the
        // loop was entered. Else a link for each trip, too; and a loop that is unrolled has another for the rest.
        let way = if level.level == "O1" { 20 } else { 8 * 101 + 20 };
        assert!(parts(tape)[1].0 <= way, "{}: {tape:?}", level.level);
        assert!(tape.peak >= tape.bytes && tape.primal_peak < 200, "{tape:?}");
    }
    let text = report.to_string();
    assert!(text.contains("tape of `iterate`") && text.contains("kept.c:6"), "{text}");
    assert!(report.to_json().contains("\"tape\": {"));
}

#[test]
fn what_is_linear_keeps_nothing() {
    let text = "static void axpy(double *y, const double *x, double a, int n) {
  for (int i = 0; i < n; i++)
    y[i] += 3.0 * x[i] - x[n - 1 - i];
}
int main(void) {
  double x[64], y[64], dx[64] = {0}, dy[64];
  for (int i = 0; i < 64; i++) x[i] = i, y[i] = 1.0, dy[i] = i % 3;
  __enzyme_autodiff((void *)axpy, enzyme_dup, y, dy, enzyme_dup, x, dx, enzyme_const, 2.0, 64);
  return 0;
}";
    let report = measured(text, &["O1", "O2"], &[]);
    for tape in tapes(&report) {
        assert_eq!(parts(tape)[0], (0, 0), "{tape:?}");
        assert!(tape.bytes <= 16, "{tape:?}");
    }
}

/// What reverses inner loops that are always as long is kept once, and not for each outer iteration; that they were
/// entered is known from the lengths.
#[test]
fn inner_loops_of_known_length_keep_their_values_alone() {
    let text = "__attribute__((noinline)) static double steps(double *x, int n, int a, int b) {
  double sum = 0.0;
  for (int t = 0; t < n; t++) {
    for (int i = 0; i < a; i++)
      x[i] = sin(x[i]);
    for (int i = b; i > 0; i--)
      x[i - 1] = x[i - 1] * x[i - 1];
    sum += x[0];
  }
  return sum;
}
int main(int argc, char **argv) {
  double x[5] = {1.0, 2.0, 3.0, 4.0, 5.0}, dx[5] = {0};
  int n = atoi(argv[1]), a = atoi(argv[2]), b = atoi(argv[3]);
  __enzyme_autodiff((void *)steps, enzyme_dup, x, dx, enzyme_const, n, enzyme_const, a, enzyme_const, b);
  return argc != 4;
}";
    let control = |n: u64| {
        let report = measured(text, &["O1"], &[&n.to_string(), "5", "3"]);
        let tape = tapes(&report)[0];
        assert_eq!(parts(tape)[0], (8 * 8 * n, 8 * n), "{tape:?}");
        parts(tape)[1]
    };
    assert_eq!(control(5), control(50));
}

/// What is larger than a chunk would be has one of its own length, and leaves the one before to others; all are freed.
#[test]
fn a_large_array_leaves_no_room_unused() {
    let text = "static double steps(double *x, int n) {
  for (int i = 0; i < 5; i++)
    x[0] = sin(x[0]);
  for (int i = 0; i < n; i++)
    x[0] = cos(x[0]);
  for (int i = 0; i < n / 50; i++)
    x[0] = sin(x[0]);
  return x[0];
}
int main(int argc, char **argv) {
  double x[3] = {1.0, 2.0, 3.0}, dx[3] = {0};
  __enzyme_autodiff((void *)steps, enzyme_dup, x, dx, enzyme_const, atoi(argv[1]));
  return argc != 2;
}";
    let report = measured(text, &["O1"], &["1000"]);
    for tape in tapes(&report) {
        // At most a chunk of the least length beside it, and the variables of the gradient.
        assert!(tape.bytes >= 8000 && tape.peak <= tape.bytes + tape.bytes / 8 + 1024 + 512, "{tape:?}");
    }
}

/// A vector between two products is complete when it is read: its n² reads are made again, wherever it lies and whoever
/// reads it, even if it is freed before the function ends.
#[test]
fn a_vector_between_two_products_costs_its_length() {
    let products = |made: &str, freed: &str| {
        format!(
            "static double product(const double *a, const double *x, int i, int n) {{
  double sum = 0.0;
  for (int j = 0; j < n; j++)
    sum += a[i * n + j] * x[j];
  return sum;
}}
static double layers(const double *a, const double *x, int n) {{
  {made};
  double total = 0.0;
  for (int i = 0; i < n; i++)
    y[i] = tanh(product(a, x, i, n));
  for (int i = 0; i < n; i++)
    total += sin(product(a, y, i, n));
  {freed};
  return sqrt(total);
}}
int main(int argc, char **argv) {{
  int n = atoi(argv[1]);
  double *a = calloc(n * n, 8), *da = calloc(n * n, 8), *x = calloc(n, 8), *dx = calloc(n, 8);
  for (int i = 0; i < n * n; i++) a[i] = 1.0 / (1 + i);
  for (int i = 0; i < n; i++) x[i] = 1.0;
  __enzyme_autodiff((void *)layers, enzyme_dup, a, da, enzyme_dup, x, dx, enzyme_const, n);
  free(a), free(da), free(x), free(dx);
  return 0;
}}"
        )
    };
    for (made, freed) in [("double *y = malloc(n * sizeof *y)", "free(y)"), ("double y[40]", "(void)y")] {
        let text = products(made, freed);
        let [short, long] = ["20", "40"].map(|n| measured(&text, &["O0", "O1", "O2", "O3"], &[n]));
        for (short, long) in tapes(&short).into_iter().zip(tapes(&long)) {
            let [(short, _), (long, _)] = [parts(short)[0], parts(long)[0]];
            assert!(long <= 2 * short + 8 && short > 0, "{made}: {short} and {long} bytes");
        }
    }
}

/// Terms of a series are had again from the number of the trip, however they are spelled: additions, `fma`, `fmax`,
/// `fabs`.
#[test]
fn what_arithmetic_gives_again_is_not_kept() {
    let text = "static double series(double x, int n) {
  double sum = 0.0;
  for (int i = 1; i <= n; i++)
    sum += x * x / fmax(fma((double)i, (double)i, x), fabs(x) + 0.5);
  return sum;
}
int main(int argc, char **argv) {
  return __enzyme_autodiff((void *)series, 1.5, atoi(argv[1])) < 0.0;
}";
    let levels = ["O0", "O1", "O2", "O3"];
    let [short, long] = ["100", "1000"].map(|n| measured(text, &levels, &[n]));
    for (short, long) in tapes(&short).into_iter().zip(tapes(&long)) {
        assert!(long.bytes == short.bytes && long.bytes <= 32, "{short:?} {long:?}");
    }
}

/// Random numbers, an index that moves in a nested loop, a transform's weights: what is not active is run again, and
/// costs no tape, for its checkpoints are on the stack.
#[test]
fn recurrences_that_are_not_active_cost_no_tape() {
    let program = |body: &str| {
        format!(
            "static double run(const double *x, int n) {{
  unsigned long s = 1, j = 0;
  double sum = 0.0, w = 1.0;
  for (int i = 0; i < n; i++) {{
    {body}
  }}
  return sum;
}}
int main(int argc, char **argv) {{
  double x[4] = {{1.0, 2.0, 3.0, 4.0}}, dx[4] = {{0}};
  __enzyme_autodiff((void *)run, enzyme_dup, x, dx, enzyme_const, atoi(argv[1]));
  return argc != 2;
}}"
        )
    };
    let bodies = [
        "s = s * 6364136223846793005UL + 1442695040888963407UL; sum += x[s >> 62] * (double)(s >> 40);",
        "unsigned long bit = 4096; for (; j & bit; bit >>= 1) j ^= bit; j ^= bit; sum += x[j & 3] * (double)j;",
        "sum += x[i & 3] * w; w *= 0.999;",
        "if (i & 4) j++; sum += x[j & 3] * (double)(j + 1);",
    ];
    for body in bodies {
        let levels = ["O0", "O1", "O2", "O3"];
        let [short, long] = ["200", "2561"].map(|n| measured(&program(body), &levels, &[n]));
        for ((short, long), level) in tapes(&short).into_iter().zip(tapes(&long)).zip(levels) {
            // Unrolled loops keep what the one for the rest begins with.
            let started = if level > "O1" { 32 } else { 0 };
            assert!(parts(short)[0].0 <= started, "{level}: {body}: {short:?}");
            assert!(long.bytes <= short.bytes + started, "{level}: {body}: {short:?} {long:?}");
        }
    }
}

/// Twelve numbers are carried on: a checkpoint on the tape (these and the way to the one before) for each 2048
/// iterations.
#[test]
fn long_recurrences_cost_a_checkpoint_now_and_then() {
    let names: Vec<String> = (0..12).map(|k| format!("s{k}")).collect();
    let (starts, sums) =
        (names.iter().map(|s| format!("{s} = 1")), names.iter().map(|s| format!("x[{s} & 3] * (double){s}")));
    let moves = names.windows(2).map(|w| format!("{} = {};", w[0], w[1]));
    let [starts, sums, moves] = [Vec::from_iter(starts).join(", "), Vec::from_iter(sums).join(" + "), moves.collect()];
    let text = format!(
        "static double run(const double *x, int n) {{
  unsigned {starts};
  double sum = 0.0;
  for (int i = 0; i < n; i++) {{
    unsigned next = s0 * 1664525u + s5 + 1013904223u;
    sum += {sums};
    {moves} s11 = next;
  }}
  return sum;
}}
int main(int argc, char **argv) {{
  double x[4] = {{1.0, 2.0, 3.0, 4.0}}, dx[4] = {{0}};
  __enzyme_autodiff((void *)run, enzyme_dup, x, dx, enzyme_const, atoi(argv[1]));
  return argc != 2;
}}"
    );
    let [short, most, long] = ["2000", "2049", "6200"].map(|n| tapes(&measured(&text, &["O1"], &[n]))[0].bytes);
    // The tape is aligned to sixteen bytes.
    let checkpoints = |n: u64| n * (12 * 4 + 8)..=n * 64;
    assert!(
        checkpoints(1).contains(&(most - short)) && checkpoints(3).contains(&(long - short)),
        "{short} {most} {long}"
    );
}

/// An inner loop that begins anew keeps nothing, however often it is entered; one that goes on where it was left keeps
/// what it is entered with, or less.
#[test]
fn short_loops_that_begin_anew_keep_nothing() {
    let text = "static double run(const double *x, int n, int m) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    double w = 1.0;
    for (int j = 0; j < m; j++) {
      sum += x[j & 3] * w;
      w *= 0.75;
    }
  }
  return sum;
}
int main(int argc, char **argv) {
  double x[4] = {1.0, 2.0, 3.0, 4.0}, dx[4] = {0};
  __enzyme_autodiff((void *)run, enzyme_dup, x, dx, enzyme_const, atoi(argv[1]), enzyme_const, atoi(argv[2]));
  return argc != 3;
}";
    for level in ["O0", "O1"] {
        let [few, many] = ["10", "100"].map(|n| measured(text, &[level], &[n, "100"]));
        assert_eq!(tapes(&few)[0].bytes, tapes(&many)[0].bytes, "{level}");
    }
}

/// Programs that take a size, with work that grows linearly with it.
const SIZED: [&str; 3] = [
    "static double run(double *u, int n) {
  for (int t = 0; t < 5; t++)
    for (int i = 1; i < n - 1; i++)
      u[i] += 0.1 * u[i - 1] * u[i + 1] - 0.2 * u[i] * u[i];
  return u[n / 2];
}",
    "static double run(double *u, int n) {
  double *buffer = malloc(sizeof *buffer), sum = 0.0;
  int size = 1;
  buffer[0] = u[0];
  for (int i = 1; i < n; i++) {
    if (i == size)
      buffer = realloc(buffer, sizeof *buffer * (size *= 2));
    buffer[i] = buffer[i - 1] * 0.5 + u[i] * u[i - 1];
  }
  for (int i = 0; i < n; i++)
    sum += buffer[i] * buffer[i];
  free(buffer);
  return sum;
}",
    "struct node { double value; struct node *next; };
static double run(double *u, int n) {
  struct node *list = 0;
  for (int i = 0; i < n; i++) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->value = i % 3 ? exp(-u[i]) : u[i] * u[i];
    fresh->next = list;
    list = fresh;
  }
  double product = 1.0;
  while (list) {
    struct node *rest = list->next;
    product *= 1.0 + 0.01 * list->value;
    free(list);
    list = rest;
  }
  return product;
}",
];

#[test]
fn tapes_grow_as_the_work_of_the_primal_does() {
    for run in SIZED {
        let text = format!(
            "{run}
int main(int argc, char **argv) {{
  int n = argc > 1 ? atoi(argv[1]) : 8;
  double *u = malloc(n * sizeof *u), *du = calloc(n, sizeof *du);
  for (int i = 0; i < n; i++) u[i] = 0.5 + 0.25 * sin(i);
  __enzyme_autodiff((void *)run, enzyme_dup, u, du, enzyme_const, n);
  free(u), free(du);
  return 0;
}}"
        );
        let of_size = |n: &str| measured(&text, &["O0", "O2"], &[n]);
        let (small, large) = (of_size("50"), of_size("400"));
        for (small, large) in tapes(&small).into_iter().zip(tapes(&large)) {
            let ratio = |part: fn(&Tape) -> u64| part(large) as f64 / part(small).max(1) as f64;
            let (work, kept) = (ratio(|t| t.primal_steps), ratio(|t| t.bytes));
            assert!(kept <= 1.25 * work, "{kept} times the tape for {work} times the work:\n{run}");
        }
    }
}

/// The most memory that the gradient of a loop over time steps needs beyond the primal's, and the instructions that it
/// takes.
fn marched(schedule: &str, number: u64) -> (u64, Report) {
    let text = format!(
        "#define N 64
static void sweep(long t, void *state, const void *parameters) {{
  const double *p = parameters;
  double *u = state;
  for (int i = 1; i < N - 1; i++)
    u[i] += p[0] * (u[i - 1] - 2.0 * u[i] + u[i + 1]) - 0.001 * (t % 4) * u[i] * u[i];
}}
static double march(const double *start, double rate) {{
  double u[N], sum = 0.0;
  for (int i = 0; i < N; i++)
    u[i] = start[i];
  __enzyme_checkpoint_for(sweep, 0, 100, {schedule}, {number}, u, sizeof u, &rate, sizeof rate);
  for (int i = 0; i < N; i++)
    sum += u[i] * u[i];
  return sum;
}}
int main(void) {{
  double u[N], du[N] = {{0}};
  for (int i = 0; i < N; i++)
    u[i] = 1.0 + i % 5;
  return __enzyme_autodiff((void *)march, enzyme_dup, u, du, 0.2) != __enzyme_autodiff((void *)march, enzyme_dup, u, \
  du, 0.2);
}}"
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("march.c");
    std::fs::write(&path, format!("#define ADJ_CHECKPOINTS\n#include <adj.h>\n{text}")).unwrap();
    let report = check(path).levels(["O2"]).tape(true).run().unwrap();
    report.assert_correct();
    (tapes(&report)[0].peak, report)
}

#[test]
fn snapshots_take_the_memory_that_their_schedule_says() {
    const STATE: u64 = 64 * 8;
    let [all, periodic, revolve] =
        [("ADJ_STORE_ALL", 0), ("ADJ_PERIODIC", 10), ("ADJ_REVOLVE", 4)].map(|(s, n)| marched(s, n).0);
    // Beside snapshots (with 32 bytes each): the gradient of a single step, and the reverse pass's own state.
    let rest = |peak: u64, snapshots: u64| peak.checked_sub(snapshots * (STATE + 32));
    let [all, periodic, revolve] = [rest(all, 100), rest(periodic, 10 + 9), rest(revolve, 4)];
    assert!(all.is_some() && all == periodic && all == revolve, "{all:?} {periodic:?} {revolve:?}");
}

/// The tape of a loop over so many time steps, kept whole or reversed from snapshots.
fn marked(steps: u32, mark: Option<&str>) -> Tape {
    let text = format!(
        "#include <adj.h>
#define N 128
static void sweep(double *u, double rate, int steps) {{
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < N - 1; i++)
      u[i] += rate * (u[i - 1] - 2.0 * u[i] + u[i + 1]) - 0.001 * u[i] * u[i];
}}
static double march(const double *start, double rate) {{
  double u[N], sum = 0.0;
  for (int i = 0; i < N; i++)
    u[i] = start[i];
  sweep(u, rate, {steps});
  for (int i = 0; i < N; i++)
    sum += u[i] * u[i];
  return sum;
}}
int main(void) {{
  double u[N], du[N] = {{0}};
  for (int i = 0; i < N; i++)
    u[i] = 1.0 + i % 5;
  return __enzyme_autodiff((void *)march, enzyme_dup, u, du, 0.2) == 0.0;
}}"
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("march.c");
    std::fs::write(&path, text).unwrap();
    let report = check(path).levels(["O1"]).checkpoints(mark).tape(true).run().unwrap();
    report.assert_correct();
    tapes(&report)[0].clone()
}

#[test]
fn a_marked_loop_needs_memory_for_its_snapshots_only() {
    // Kept whole, each step leaves a number for each cell that it moves.
    let (few, whole) = (marked(20, None).peak, marked(80, None).peak);
    assert!(whole - few >= 60 * 126 * 8, "{few} {whole}");
    // The same snapshots serve any number of steps.
    let revolve = |steps| marked(steps, Some("march.c:4=revolve:4")).peak;
    let (few, many) = (revolve(20), revolve(80));
    assert_eq!(few, many);
    assert!(many < whole, "{many} {whole}");
    // One for every other step is more than one for every tenth.
    let periodic = |period: u32| marked(80, Some(&format!("march.c:4=periodic:{period}"))).peak;
    let (tenth, second) = (periodic(10), periodic(2));
    assert!(many < tenth && tenth < second, "{many} {tenth} {second}");
}

#[test]
fn a_call_at_few_places_keeps_what_its_body_would() {
    let program = |attribute: &str| {
        format!(
            "static __attribute__(({attribute})) void product(const double *a, const double *b, double *out) {{
  for (int i = 0; i < 4; i++)
    out[i] = a[i] * b[i] + a[(i + 1) % 4] * b[(i + 3) % 4];
}}
static double chain(const double *x, const double *fixed, int n) {{
  double total = 0.0;
  for (int i = 0; i < n; i++) {{
    double one[4], other[4];
    product(x + 4 * i, x, one);
    product(one, fixed, other);
    total += sin(other[0] * other[1] + other[2] * other[3]);
  }}
  return sin(total);
}}
int main(void) {{
  double x[40], dx[40] = {{0}}, fixed[4] = {{0.5, 0.25, 0.75, 1.5}};
  for (int i = 0; i < 40; i++) x[i] = 0.1 * (i % 7);
  __enzyme_autodiff((void *)chain, enzyme_dup, x, dx, enzyme_const, fixed, enzyme_const, 10);
  return 0;
}}"
        )
    };
    let bytes = |attribute: &str| parts(tapes(&measured(&program(attribute), &["O1"], &[]))[0])[0].0;
    assert!(bytes("noinline") <= bytes("always_inline"));
}

#[test]
fn iterations_that_are_reversed_jointly_share_their_tape() {
    let text = |length: &str| {
        format!(
            "static double points(const double *p, const double *x, int n, int d) {{
  double total = 0.0;
  for (int i = 0; i < n; i++) {{
    double product = 1.0;
    for (int j = 0; j < {length}; j++)
      product *= 1.0 + 0.001 * sin(p[j % d] * x[i]);
    total += log(product);
  }}
  return total;
}}
int main(int argc, char **argv) {{
  int n = atoi(argv[1]), d = atoi(argv[2]);
  double *x = calloc(n, 8), *p = calloc(d, 8), *dp = calloc(d, 8);
  for (int i = 0; i < n; i++) x[i] = 1.0 + 0.01 * i;
  for (int j = 0; j < d; j++) p[j] = 0.1 * j;
  __enzyme_autodiff((void *)points, enzyme_dup, p, dp, enzyme_const, x, enzyme_const, n, enzyme_const, d);
  free(x), free(p), free(dp);
  return argc != 3;
}}"
        )
    };
    let peaks = |length: &str, n: &str, d: &str| -> Vec<u64> {
        tapes(&measured(&text(length), &["O1", "O2"], &[n, d])).into_iter().map(|tape| tape.peak).collect()
    };
    assert_eq!(peaks("d", "5", "200"), peaks("d", "25", "200"));
    // No more than twice what the longest needs.
    let even: Vec<u64> = peaks("d", "1", "60");
    let growing = peaks("i", "60", "60");
    assert!(growing.iter().zip(&even).all(|(growing, even)| *growing <= 2 * even + 1024), "{growing:?} {even:?}");
}
