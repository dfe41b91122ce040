/* Normalisation of a vector, the example with which Moses and Churavy open (NeurIPS 2020, figure 1): the magnitude does not change while
 * the loop runs, so an optimiser moves it out of the loop, and the function takes time proportional to n. Differentiated before
 * that, each iteration has a magnitude to reverse, and the gradient takes time proportional to n^2. The size is n. */
#include "adj.h"
#include "bench.h"

static long N;
static double *input, *output, *dinput, *doutput, *seed;

/* Writes nothing; a function of its own, as it would be in a library. */
__attribute__((noinline, pure)) static double magnitude(const double *x, long n) {
  double sum = 0.0;
  for (long i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

static void normalise(double *restrict out, const double *restrict in, long n) {
  for (long i = 0; i < n; i++) out[i] = in[i] / magnitude(in, n);
}

/* The adjoint by hand. */
static void normalise_adjoint(double *restrict dout, const double *restrict in, double *restrict din, long n) {
  double size = magnitude(in, n), along = 0.0;
  for (long i = 0; i < n; i++) along += dout[i] * in[i];
  along /= size * size * size;
  for (long i = 0; i < n; i++) {
    din[i] += dout[i] / size - along * in[i];
    dout[i] = 0.0;
  }
}

static void bench_setup(long size) {
  N = size;
  input = bench_array(N);
  output = bench_array(N);
  dinput = bench_array(N);
  doutput = bench_array(N);
  seed = bench_array(N);
  bench_fill(input, N, 1.0);
  bench_fill(seed, N, 1.0);
}

static void reset(void) {
  memset(dinput, 0, sizeof(double) * (size_t)N);
  memcpy(doutput, seed, sizeof(double) * (size_t)N);
}

static double bench_primal(void) {
  normalise(output, input, N);
  return output[0];
}

static void bench_gradient(void) {
  reset();
  __enzyme_autodiff((void *)normalise, enzyme_dup, output, doutput, enzyme_dup, input, dinput, enzyme_const, N);
}

static void bench_hand(void) {
  reset();
  normalise(output, input, N);
  normalise_adjoint(doutput, input, dinput, N);
}

static const double *bench_result(long *n) {
  *n = N;
  return dinput;
}

BENCH_MAIN
