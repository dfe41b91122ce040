/* What the programs of Table 1 share: inputs that are the same in every run, comparison of two gradients, and timing.
 *
 * A program defines the five functions below and ends with `BENCH_MAIN`; one that defines `bench_read` as well, which reads a file of
 * ADBench in place of `bench_setup`, ends with `BENCH_MAIN_READING`. Its arguments are a mode and a size:
 *
 *   check SIZE        computes the gradient once (for the oracle, which runs it in the interpreter)
 *   file PATH ROUNDS  as `time`, on an input of ADBench
 *   time SIZE ROUNDS  compares the whole gradient with the hand-written adjoint, and prints
 *                     `length max_ulp max_rel`, peak bytes of the heap during each, then seconds of primal, gradient and
 *                     hand-written adjoint for each round, the three one after the other */
#ifndef BENCH_H
#define BENCH_H

#ifdef __cplusplus
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#else
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#endif
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif
/* Defined in meter.c: bytes on the heap, and the most there were since the last reset. */
void meter_reset(void);
long meter_peak(void);
#ifdef __cplusplus
}
#endif

static void bench_setup(long size);
static double bench_primal(void);
static void bench_gradient(void);
static void bench_hand(void);
/* The gradient that was computed last, and its length. */
static const double *bench_result(long *length);

static unsigned long bench_state = 1;

/* Uniform in [-1, 1): the generator of Knuth's MMIX. */
static double bench_uniform(void) {
  bench_state = bench_state * 6364136223846793005UL + 1442695040888963407UL;
  return (double)(bench_state >> 11) * (2.0 / 9007199254740992.0) - 1.0;
}

static void bench_fill(double *to, long n, double scale) {
  for (long i = 0; i < n; i++) to[i] = scale * bench_uniform();
}

static double *bench_array(long n) {
  double *a = (double *)malloc((size_t)n * sizeof(double));
  if (!a) abort();
  memset(a, 0, (size_t)n * sizeof(double));
  return a;
}

/* Files of ADBench: numbers between blanks, ends of lines and colons. What a file lacks ends the program. */
static const char *bench_path;
static FILE *bench_file;

static void bench_refuse(const char *why) {
  fprintf(stderr, "%s: %s\n", bench_path, why);
  exit(3);
}

static void bench_open(const char *path) {
  bench_path = path;
  bench_file = fopen(path, "r");
  if (!bench_file) bench_refuse("cannot be read");
}

static int bench_next(void) {
  int c = getc(bench_file);
  while (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ':') c = getc(bench_file);
  if (c != EOF) ungetc(c, bench_file);
  return c;
}

static double bench_number(void) {
  double number;
  if (bench_next() == EOF) bench_refuse("ends too early");
  if (fscanf(bench_file, "%lf", &number) != 1) bench_refuse("holds something else than numbers");
  if (!(fabs(number) <= 1e300)) bench_refuse("holds a number that is not finite");
  return number;
}

static long bench_count(double least, double most) {
  double number = bench_number();
  if (!(number >= least && number <= most) || number != floor(number)) bench_refuse("holds a count or an index out of range");
  return (long)number;
}

static void bench_numbers(double *to, long n) {
  for (long i = 0; i < n; i++) to[i] = bench_number();
}

static void bench_close(void) {
  if (bench_next() != EOF) bench_refuse("holds more than its first line says");
  fclose(bench_file);
}

static void bench_no_file(const char *path) {
  bench_path = path;
  bench_refuse("this program reads no files");
}

/* Seconds of the processor, which other programs on the machine do not lengthen. */
static double bench_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static volatile double bench_sink;

static void bench_run(int what) {
  if (what == 0) bench_sink = bench_primal();
  if (what == 1) bench_gradient();
  if (what == 2) bench_hand();
}

static int bench_time(long rounds) {
  long n;
  double peak[3];
  /* The first run of each: later ones may find memory that an earlier one kept. */
  meter_reset();
  bench_run(0);
  peak[0] = (double)meter_peak();
  meter_reset();
  bench_hand();
  peak[2] = (double)meter_peak();
  const double *result = bench_result(&n);
  double *hand = bench_array(n);
  memcpy(hand, result, (size_t)n * sizeof(double));
  meter_reset();
  bench_gradient();
  peak[1] = (double)meter_peak();
  result = bench_result(&n);
  /* Error against the larger of the component and 1e-3 of the largest component: where terms cancel, the order of
     additions decides about the last bits. */
  double scale = 0.0, worst = 0.0;
  for (long i = 0; i < n; i++) scale = fmax(scale, fabs(hand[i]));
  for (long i = 0; i < n; i++) {
    double error = fabs(result[i] - hand[i]) / fmax(fabs(hand[i]), 1e-3 * scale);
    if (!(error <= worst)) worst = error;
  }
  free(hand);
  printf("%ld %.17g %.17g\n", n, worst / 2.220446049250313e-16, worst);
  printf("%.0f %.0f %.0f\n", peak[0], peak[1], peak[2]);
  /* Runs are repeated until they take ten milliseconds. */
  long times[3];
  for (int what = 0; what < 3; what++) {
    double spent = 0.0;
    for (times[what] = 1; times[what] < 1000000; times[what] *= 2) {
      double start = bench_now();
      for (long i = 0; i < times[what]; i++) bench_run(what);
      spent = bench_now() - start;
      if (spent > 1e-2) break;
    }
  }
  for (long round = 0; round < rounds; round++) {
    for (int what = 0; what < 3; what++) {
      double start = bench_now();
      for (long i = 0; i < times[what]; i++) bench_run(what);
      printf("%.9e%c", (bench_now() - start) / (double)times[what], what < 2 ? ' ' : '\n');
    }
  }
  return 0;
}

#define BENCH_MAIN_WITH(READ)                                                       \
  int main(int argc, char **argv) {                                                 \
    if (argc < 3) return 2;                                                         \
    if (strcmp(argv[1], "file") == 0) {                                             \
      READ(argv[2]);                                                                \
    } else {                                                                        \
      bench_setup(atol(argv[2]));                                                   \
    }                                                                               \
    if (strcmp(argv[1], "check") == 0) {                                            \
      bench_gradient();                                                             \
      return 0;                                                                     \
    }                                                                               \
    return argc < 4 ? 2 : bench_time(atol(argv[3]));                                \
  }
#define BENCH_MAIN BENCH_MAIN_WITH(bench_no_file)
#define BENCH_MAIN_READING BENCH_MAIN_WITH(bench_read)

#endif
