/* Normalisation of a vector by threads. The magnitude does not change while the loop runs: moved out of it, the
 * function takes time proportional to n; left inside, and differentiated there, time proportional to n^2. Without
 * -fopenmp, in series. The size is n. */
#include "adj.h"
#include "threads.h"

static int length;
static double *input, *output, *dinput, *doutput;

/* Writes nothing; a function of its own, as it would be in a library. */
__attribute__((noinline, pure)) static double magnitude(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

static void normalise(double *restrict out, const double *restrict in, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) out[i] = in[i] / magnitude(in, n);
}

static void threads_setup(long size) {
  length = (int)size;
  input = (double *)threads_array(size, sizeof(double));
  output = (double *)threads_array(size, sizeof(double));
  dinput = (double *)threads_array(size, sizeof(double));
  doutput = (double *)threads_array(size, sizeof(double));
  for (int i = 0; i < length; i++) input[i] = threads_uniform();
}

static double seed_of(int i) { return 1.0 + 0.5 * (i % 7); }

static double threads_primal(void) {
  double sum = 0.0;
  normalise(output, input, length);
  for (int i = 0; i < length; i++) sum += seed_of(i) * output[i];
  return sum;
}

static void threads_gradient(void) {
  memset(dinput, 0, sizeof(double) * (size_t)length);
  for (int i = 0; i < length; i++) doutput[i] = seed_of(i);
  __enzyme_autodiff((void *)normalise, enzyme_dup, output, doutput, enzyme_dup, input, dinput, enzyme_const, length);
}

static long threads_length(void) { return length; }
static double *threads_input(long i) { return &input[i]; }
static double threads_scale(long i) { return i < 0 ? 0.0 : 1.0; }
static const double *threads_result(long i) { return &dinput[i]; }

THREADS_MAIN
