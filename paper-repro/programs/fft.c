/* Fast Fourier transform of 2^n complex numbers in place: bit reversal, then butterflies (Cooley and Tukey 1965), forward and with
 * the weights of a fixed filter backward again. The gradient is the transpose times a given vector, with respect to the
 * input. The size is n. */
#include "adj.h"
#include "bench.h"

static long N;
static double *input, *data, *shadow;

/* data: real and imaginary parts in turn; sign -1 is the transform, +1 its inverse (not scaled). */
static void fft(double *x, long n, double sign) {
  for (long i = 1, j = 0; i < n; i++) {
    long bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      double re = x[2 * i], im = x[2 * i + 1];
      x[2 * i] = x[2 * j];
      x[2 * i + 1] = x[2 * j + 1];
      x[2 * j] = re;
      x[2 * j + 1] = im;
    }
  }
  for (long length = 2; length <= n; length <<= 1) {
    double angle = sign * 6.283185307179586476925 / (double)length;
    double step_re = -2.0 * sin(0.5 * angle) * sin(0.5 * angle), step_im = sin(angle);
    double w_re = 1.0, w_im = 0.0;
    long half = length >> 1;
    for (long k = 0; k < half; k++) {
      for (long i = k; i < n; i += length) {
        long j = i + half;
        double re = w_re * x[2 * j] - w_im * x[2 * j + 1];
        double im = w_re * x[2 * j + 1] + w_im * x[2 * j];
        x[2 * j] = x[2 * i] - re;
        x[2 * j + 1] = x[2 * i + 1] - im;
        x[2 * i] += re;
        x[2 * i + 1] += im;
      }
      double old = w_re;
      w_re += w_re * step_re - w_im * step_im;
      w_im += w_im * step_re + old * step_im;
    }
  }
}

static void filtered(double *x, long n) {
  fft(x, n, -1.0);
  for (long i = 0; i < n; i++) {
    double weight = 1.0 / (double)(n + i);
    x[2 * i] *= weight;
    x[2 * i + 1] *= weight;
  }
  fft(x, n, 1.0);
}

/* The adjoint by hand: the transpose of the transform is its conjugate, whose matrix is symmetric. */
static void filtered_adjoint(double *dx, long n) {
  fft(dx, n, -1.0);
  for (long i = 0; i < n; i++) {
    double weight = 1.0 / (double)(n + i);
    dx[2 * i] *= weight;
    dx[2 * i + 1] *= weight;
  }
  fft(dx, n, 1.0);
}

static void bench_setup(long size) {
  N = 1L << size;
  input = bench_array(2 * N);
  data = bench_array(2 * N);
  shadow = bench_array(2 * N);
  bench_fill(input, 2 * N, 1.0);
}

static void reset(void) { memcpy(data, input, sizeof(double) * 2 * (size_t)N); }

static double bench_primal(void) {
  reset();
  filtered(data, N);
  return data[0];
}

#ifdef BENCH_OVERLOADED
/* In overloaded/fft.cpp. */
void overloaded_gradient(const double *from, long n, const double *seed, double *gradient);

static void bench_gradient(void) { overloaded_gradient(input, N, input, shadow); }
#else
/* The adjoint of the result is the input itself: any vector would do. */
static void bench_gradient(void) {
  reset();
  memcpy(shadow, input, sizeof(double) * 2 * (size_t)N);
  __enzyme_autodiff((void *)filtered, enzyme_dup, data, shadow, enzyme_const, N);
}
#endif

static void bench_hand(void) {
  reset();
  filtered(data, N);
  memcpy(shadow, input, sizeof(double) * 2 * (size_t)N);
  filtered_adjoint(shadow, N);
}

static const double *bench_result(long *n) {
  *n = 2 * N;
  return shadow;
}

BENCH_MAIN
