/* The loop of a Taylor series, sum x^i / i for i from 1 to n, with which Moses and Churavy compare gradients in Julia (NeurIPS 2020,
 * figure 7). The derivative is sum x^(i-1). The size is n. With `BENCH_RUST` the loop is that of taylor.rs. */
#include "adj.h"
#include "bench.h"

static long N;
static double at = 0.999999, derivative;

#ifdef BENCH_RUST
double taylor(double x, long n);
#else
static double taylor(double x, long n) {
  double sum = 0.0;
  for (long i = 1; i <= n; i++) sum += pow(x, (double)i) / (double)i;
  return sum;
}
#endif

/* The adjoint by hand: one pass, each power once, as the value is not asked for. */
static double taylor_adjoint(double x, long n) {
  double sum = 0.0;
  for (long i = 1; i <= n; i++) sum += pow(x, (double)(i - 1));
  return sum;
}

static void bench_setup(long size) { N = size; }

static double bench_primal(void) { return taylor(at, N); }

#ifdef BENCH_OVERLOADED
/* In overloaded/taylor.cpp. */
double overloaded_gradient(double x, long n);

static void bench_gradient(void) { derivative = overloaded_gradient(at, N); }
#else
static void bench_gradient(void) {
  derivative = __enzyme_autodiff((void *)taylor, enzyme_out, at, enzyme_const, N);
}
#endif

static void bench_hand(void) { derivative = taylor_adjoint(at, N); }

static const double *bench_result(long *n) {
  *n = 1;
  return &derivative;
}

BENCH_MAIN
