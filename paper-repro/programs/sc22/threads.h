/* What the programs of SC'22 share: the same inputs in every run, the gradient against differences, and times.
 *
 * A program defines the functions below and ends with `THREADS_MAIN`. Its arguments are a mode and a size:
 *
 *   check SIZE        computes the gradient once (for the oracle, which runs it in the interpreter)
 *   test SIZE         compares the gradient with differences in a few directions, and returns 1 if they do not agree
 *   time SIZE ROUNDS  prints the length of the gradient, its worst difference from central differences in a few
 *                     directions and its largest component; the derivatives in these directions; then seconds of
 *                     primal and gradient for each round, one after the other */
#ifndef THREADS_H
#define THREADS_H

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
#ifdef THREADS_MPI
#include <mpi.h>
#endif

enum { THREADS_DIRECTIONS = 3 };

/* The step of differences; a program whose energies have kinks takes a small one. */
#ifndef THREADS_STEP
#define THREADS_STEP 1e-5
#endif

static void threads_setup(long size);
/* The value at the input, which is an array of `threads_length()` numbers, whose components are about
 * `threads_scale(i)` large. */
static double threads_primal(void);
static void threads_gradient(void);
static long threads_length(void);
static double *threads_input(long i);
static double threads_scale(long i);
static const double *threads_result(long i);
#ifdef THREADS_MPI
/* The number that component i has when there is one process only: processes that hold the same number move it alike. */
static long threads_number(long i);
#else
static long threads_number(long i) { return i; }
#endif

/* Sums over all processes. */
static double threads_total(double mine) {
#ifdef THREADS_MPI
  double all;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
#else
  return mine;
#endif
}

static int threads_rank(void) {
  int rank = 0;
#ifdef THREADS_MPI
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#endif
  return rank;
}

static unsigned long threads_state = 1;

/* Uniform in [-1, 1): the generator of Knuth's MMIX. */
static inline double threads_uniform(void) {
  threads_state = threads_state * 6364136223846793005UL + 1442695040888963407UL;
  return (double)(threads_state >> 11) * (2.0 / 9007199254740992.0) - 1.0;
}

/* The same for a component of a direction, whoever asks (Steele et al., "Fast splittable pseudorandom number
 * generators", 2014). */
static double threads_direction(long direction, long number) {
  unsigned long z = 0x9e3779b97f4a7c15UL * (unsigned long)(number + 1);
  z += 0xd1b54a32d192ed03UL * (unsigned long)(direction + 1);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9UL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebUL;
  z ^= z >> 31;
  return (double)(z >> 11) * (2.0 / 9007199254740992.0) - 1.0;
}

static void *threads_array(long n, size_t size) {
  void *a = calloc((size_t)n, size);
  if (!a) abort();
  return a;
}

static double threads_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double threads_worst, threads_largest, threads_along[THREADS_DIRECTIONS];

static void threads_compare(void) {
  const long n = threads_length();
  double *direction = (double *)threads_array(n, sizeof(double));
  double *at = (double *)threads_array(n, sizeof(double));
  threads_gradient();
  for (long i = 0; i < n; i++) threads_largest = fmax(threads_largest, fabs(*threads_result(i)));
  for (int k = 0; k < THREADS_DIRECTIONS; k++) {
    const double steps[4] = {-2.0, -1.0, 1.0, 2.0};
    double value[4], along = 0.0, squares = 0.0;
    for (long i = 0; i < n; i++) {
      direction[i] = threads_scale(i) * threads_direction(k, threads_number(i));
      const double part = direction[i] * *threads_result(i);
      along += part;
      squares += part * part;
    }
    threads_along[k] = threads_total(along);
    for (int side = 0; side < 4; side++) {
      for (long i = 0; i < n; i++) {
        at[i] = *threads_input(i);
        *threads_input(i) = at[i] + THREADS_STEP * steps[side] * direction[i];
      }
      value[side] = threads_total(threads_primal());
      for (long i = 0; i < n; i++) *threads_input(i) = at[i];
    }
    const double slope = (8.0 * (value[2] - value[1]) - (value[3] - value[0])) / (12.0 * THREADS_STEP);
    /* Relative to what terms of either sign add up to: a slope may come out small by chance. */
    const double error = fabs(slope - threads_along[k]) / sqrt(threads_total(squares));
    if (!(error <= threads_worst)) threads_worst = error;
  }
  free(direction);
  free(at);
}

static volatile double threads_sink;

/* Seconds of the slowest process. */
static double threads_run(int what, long times) {
#ifdef THREADS_MPI
  MPI_Barrier(MPI_COMM_WORLD);
#endif
  const double start = threads_now();
  for (long i = 0; i < times; i++) {
    if (what) {
      threads_gradient();
    } else {
      threads_sink = threads_primal();
    }
  }
  double spent = threads_now() - start;
#ifdef THREADS_MPI
  double mine = spent;
  MPI_Allreduce(&mine, &spent, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
#endif
  return spent / (double)times;
}

static void threads_time(long rounds) {
  const long length = (long)threads_total((double)threads_length());
  if (threads_rank() == 0) {
    printf("%ld %.17g %.17g\n", length, threads_worst, threads_largest);
    for (int k = 0; k < THREADS_DIRECTIONS; k++) printf(k ? " %.17g" : "%.17g", threads_along[k]);
    printf("\n");
  }
  /* Runs are repeated until they take twenty milliseconds. */
  long times[2];
  for (int what = 0; what < 2; what++) {
    times[what] = 1;
    while (times[what] < 1000000 && threads_run(what, times[what]) * (double)times[what] < 2e-2) times[what] *= 2;
  }
  for (long round = 0; round < rounds; round++) {
    const double primal = threads_run(0, times[0]), gradient = threads_run(1, times[1]);
    if (threads_rank() == 0) printf("%.9e %.9e\n", primal, gradient);
  }
}

static int threads_main(int argc, char **argv) {
  if (argc < 3) return 2;
  threads_setup(atol(argv[2]));
  if (strcmp(argv[1], "check") == 0) {
    threads_gradient();
    return 0;
  }
  threads_compare();
  if (strcmp(argv[1], "test") == 0) {
    const int wrong = !(threads_worst <= 1e-6);
    if (wrong && threads_rank() == 0) printf("%.3e off differences, relatively\n", threads_worst);
    return wrong;
  }
  if (argc < 4) return 2;
  threads_time(atol(argv[3]));
  return 0;
}

#ifdef THREADS_MPI
#define THREADS_MAIN                                    \
  int main(int argc, char **argv) {                     \
    int level;                                          \
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level); \
    const int code = threads_main(argc, argv);          \
    MPI_Finalize();                                     \
    return code;                                        \
  }
#else
#define THREADS_MAIN \
  int main(int argc, char **argv) { return threads_main(argc, argv); }
#endif

#endif
