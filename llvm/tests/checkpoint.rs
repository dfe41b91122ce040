//! The passes of loops with checkpoints, compiled on their own: each step is reversed once, last first, from the right
//! state; how many steps are executed again, and how many snapshots are alive, against the theory.

use std::process::Command;

const HARNESS: &str = r#"
#include <stdio.h>
static long executed, alive, most, reversed, wrong;
static void *counted(unsigned long bytes) { if (++alive > most) most = alive; return malloc(bytes); }
static void released(void *p) { if (p) alive--; free(p); }
static void step(long i, void *state, const void *parameters) {
  long *at = state;
  wrong += *at != i || *(const long *)parameters != 42;
  *at = i + 1, executed++;
}
static void reverse(long i, void *state, void *shadow, const void *parameters, void *parameter_shadow) {
  long *at = state, *next = shadow;
  wrong += *at != i || *next != i + 1 || *(const long *)parameters != 42;
  *next = i, reversed++;
  ++*(long *)parameter_shadow;
}
int main(void) {
  for (int schedule = 0; schedule < 3; schedule++)
    for (long n = 0; n <= 60; n++)
      for (long s = 1; s <= 7; s++) {
        long from = 5, to = from + n, state = from, shadow = to, parameters = 42, sum = 0;
        executed = most = reversed = wrong = 0;
        void *tape = __adj_checkpoint_forward(step, from, to, schedule, s, &state, sizeof state, &parameters, sizeof parameters);
        struct adj_snapshot *last = ((struct adj_tape *)tape)->top;
        long way = last ? last->at - from : 0;
        wrong += state != to;
        state = -1, parameters = -1;
        __adj_checkpoint_reverse(step, reverse, to, &state, &shadow, sizeof state, &parameters, &sum, sizeof parameters, tape);
        wrong += alive || shadow != from || sum != n || reversed != n || state != -1;
        printf("%d %ld %ld %ld %ld %ld %ld\n", schedule, n, s, executed, way, most, wrong);
      }
  return 0;
}
"#;

/// `(s + r)! / (s! r!)`
fn beta(s: u64, r: u64) -> u64 {
    (1..=s).fold(1, |product, k| product * (r + k) / k)
}

/// The fewest steps that must be executed to reverse `n`, when `s` snapshots may be alive with the one at their start:
/// by trying all divisions. A step that is reversed is not executed besides.
fn fewest(known: &mut std::collections::HashMap<(u64, u64), u64>, n: u64, s: u64) -> u64 {
    if n <= 1 || s == 1 {
        return n * n.saturating_sub(1) / 2;
    }
    if let Some(fewest) = known.get(&(n, s)) {
        return *fewest;
    }
    let best = (1..n).map(|m| m + fewest(known, n - m, s - 1) + fewest(known, m, s)).min().unwrap_or(0);
    known.insert((n, s), best);
    best
}

#[test]
fn revolve_executes_as_few_steps_again_as_its_snapshots_allow() {
    let folder = tempfile::tempdir().unwrap();
    let [source, program] = ["harness.c", "harness"].map(|name| folder.path().join(name));
    let library = include_str!("../library/checkpoint.c");
    // Snapshots and the reverse pass's own memory are counted; the declarations stay what they are.
    let (declarations, passes) = library.split_once("enum {").unwrap();
    let (counting, main) = HARNESS.split_once("static void step").unwrap();
    let renamed = "#define malloc counted\n#define free released\nenum {";
    let text = format!("{declarations}{counting}{renamed}{passes}\nstatic void step{main}");
    std::fs::write(&source, text).unwrap();
    let clang = llvm::find::toolchain().unwrap().clang;
    let options = ["-O1", "-fsanitize=undefined", "-fsanitize-trap=all", "-o"];
    assert!(Command::new(clang).args(options).arg(&program).arg(&source).status().unwrap().success());
    let output = Command::new(&program).output().unwrap();
    let mut known = std::collections::HashMap::new();
    let mut seen = 0;
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let numbers: Vec<u64> = line.split(' ').map(|n| n.parse().unwrap()).collect();
        let [schedule, n, s, executed, way, alive, wrong] = numbers[..] else { panic!("{line}") };
        seen += 1;
        assert_eq!(wrong, 0, "{line}");
        // By the reverse pass: the forward pass executes each step once.
        let again = executed - n;
        // Beside the snapshots: the tape and the memory that steps are executed on.
        let snapshots = alive.saturating_sub(2);
        match schedule {
            0 => assert!(again == 0 && snapshots <= n, "{line}"),
            1 => assert!(again <= n && snapshots <= n.div_ceil(s) + s, "{line}"),
            _ => {
                assert!(snapshots <= s, "{line}");
                if n == 0 {
                    continue;
                }
                let r = (0..).find(|r| beta(s, *r) >= n).unwrap();
                let bound = if r == 0 { 0 } else { r * n - beta(s + 1, r - 1) };
                assert_eq!(fewest(&mut known, n, s), bound, "the theory: {line}");
                // The forward pass, which executes every step for the sake of the result, is also on the way to its
                // last snapshot.
                assert_eq!(again + way, bound, "{line}");
            }
        }
    }
    assert_eq!(seen, 3 * 61 * 7);
}

const UNDOING: &str = r#"
#include <stdio.h>
enum { CELLS = 40, MOST = 70 };
static long cells[CELLS], last, executed, reversed, wrong, alive, marks;
static unsigned long known[MOST];
static struct adj_undo *undo;
static unsigned long hashed(void) {
  unsigned long hash = 14695981039346656037UL;
  for (int i = 0; i < CELLS; i++)
    hash = (hash ^ (unsigned long)cells[i]) * 1099511628211UL;
  return hash | 1;
}
static int forward(void *environment, struct adj_head *tape, void **record) {
  long at = cells[0];
  if (!known[at])
    known[at] = hashed();
  wrong += known[at] != hashed();
  /* Single cells twice, an odd number of bytes across a line, and the counter. */
  for (int k = 0; k < 6; k++) {
    long *cell = &cells[1 + (at * 7 + k * k * 5) % (CELLS - 1)];
    __adj_undo_save(tape, (char *)cell, sizeof *cell);
    *cell = (long)((unsigned long)*cell * 31 + at + k);
  }
  char *bytes = (char *)&cells[1 + at % 30] + 3;
  __adj_undo_save(tape, bytes, 13);
  for (int k = 0; k < 13; k++)
    bytes[k] ^= at + k;
  __adj_undo_save(tape, (char *)cells, sizeof *cells);
  cells[0] = at + 1;
  executed++;
  *record = (void *)at;
  return at + 1 == last;
}
static void reverse(void *environment, void *record) {
  wrong += (long)record != last - 1 - reversed++;
}
static void release(struct adj_head *tape) {}
static void refuse(const char *text, unsigned long length) { wrong++; }
int main(void) {
  for (int schedule = 1; schedule < 3; schedule++)
    for (last = 1; last < MOST; last++)
      for (long s = 1; s <= 7; s++) {
        struct adj_head tape = {0, 0, 0, 0};
        struct adj_loop before, loop;
        for (int i = 0; i < CELLS; i++)
          cells[i] = i * i;
        cells[0] = executed = reversed = wrong = 0;
        for (int i = 0; i < MOST; i++)
          known[i] = 0;
        /* Twice, with something overwritten in between and behind. */
        __adj_undo_forward(&before, forward, reverse, release, refuse, schedule, s, &tape);
        unsigned long middle = hashed();
        __adj_undo_save(&tape, (char *)(cells + 3), 32);
        cells[3] = cells[4] = cells[5] = cells[6] = -1;
        __adj_undo_save(&tape, (char *)cells, 8);
        cells[0] = 0;
        for (int i = 0; i < MOST; i++)
          known[i] = 0;
        __adj_undo_forward(&loop, forward, reverse, release, refuse, schedule, s, &tape);
        __adj_undo_save(&tape, (char *)(cells + 2), 24);
        cells[2] = cells[3] = cells[4] = -2;
        unsigned long end = hashed();
        long first = executed;
        __adj_undo_reverse(&loop);
        wrong += hashed() != end || reversed != last;
        long again = executed - first;
        reversed = 0;
        for (int i = 0; i < MOST; i++)
          known[i] = 0;
        __adj_undo_reverse(&before);
        wrong += hashed() != end || reversed != last;
        wrong += executed - first != 2 * again;
        __adj_undo_free(tape.undo);
        printf("%d %ld %ld %ld %ld\n", schedule, last, s, again, wrong);
      }
  return 0;
}
"#;

#[test]
fn what_steps_overwrite_is_undone_and_as_few_steps_are_executed_again() {
    let folder = tempfile::tempdir().unwrap();
    let [source, program] = ["harness.c", "harness"].map(|name| folder.path().join(name));
    let library = [include_str!("../library/checkpoint.c"), include_str!("../library/undo.c")].concat();
    std::fs::write(&source, format!("{library}\n{UNDOING}")).unwrap();
    let clang = llvm::find::toolchain().unwrap().clang;
    let options = ["-O1", "-fsanitize=undefined", "-fsanitize-trap=all", "-o"];
    assert!(Command::new(clang).args(options).arg(&program).arg(&source).status().unwrap().success());
    let output = Command::new(&program).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut seen = 0;
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let numbers: Vec<u64> = line.split(' ').map(|n| n.parse().unwrap()).collect();
        let [schedule, n, s, again, wrong] = numbers[..] else { panic!("{line}") };
        seen += 1;
        assert_eq!(wrong, 0, "{line}");
        // Each step is executed once with its reverse.
        let besides = again - n;
        match schedule {
            1 => assert!(besides <= 2 * n, "{line}"),
            _ => {
                let r = (0..).find(|r| beta(s, *r) >= n).unwrap();
                let bound = if r == 0 { 0 } else { r * n - beta(s + 1, r - 1) };
                assert_eq!(besides, bound, "{line}");
            }
        }
    }
    assert_eq!(seen, 2 * 69 * 7);
}
