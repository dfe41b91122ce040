// A library of discrete Fourier transforms: plans with mixed radices, Bluestein's algorithm for large primes, real and two-dimensional
// transforms, cosine transforms, convolutions, windows and spectra, and the sensitivity of a filter's output to its coefficients.
#include "adj.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

typedef struct {
  double re, im;
} cpx;

static cpx make(double re, double im) {
  cpx z = {re, im};
  return z;
}
static cpx plus(cpx a, cpx b) { return make(a.re + b.re, a.im + b.im); }
static cpx minus(cpx a, cpx b) { return make(a.re - b.re, a.im - b.im); }
static cpx times(cpx a, cpx b) { return make(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re); }
static cpx scaled(double s, cpx a) { return make(s * a.re, s * a.im); }
static cpx conjugate(cpx a) { return make(a.re, -a.im); }
static double size2(cpx a) { return a.re * a.re + a.im * a.im; }
static cpx root(long k, long n) { /* exp(-2 pi i k / n) */
  double angle = -2.0 * PI * (double)(k % n) / (double)n;
  return make(cos(angle), sin(angle));
}

static void *need(size_t bytes) {
  void *p = calloc(1, bytes ? bytes : 1);
  if (!p) {
    fputs("out of memory\n", stderr);
    exit(2);
  }
  return p;
}

/* ---- plans ---- */

enum { MAX_FACTORS = 24, LARGEST_RADIX = 13 };

typedef struct plan plan;
struct plan {
  int n;
  int factors[MAX_FACTORS];
  int factor_count;
  cpx *roots;
  cpx *scratch;
  /* Bluestein: a convolution of a length that is a power of two */
  plan *inner;
  cpx *chirp, *filter, *work;
};

static plan *plan_new(int n) {
  plan *p = need(sizeof *p);
  p->n = n;
  int rest = n;
  static const int tried[] = {4, 2, 3, 5, 7, 11, 13};
  for (size_t i = 0; i < sizeof tried / sizeof *tried; i++)
    while (rest % tried[i] == 0) {
      p->factors[p->factor_count++] = tried[i];
      rest /= tried[i];
    }
  p->roots = need((size_t)n * sizeof(cpx));
  for (int k = 0; k < n; k++)
    p->roots[k] = root(k, n);
  if (rest == 1) {
    p->scratch = need((size_t)n * sizeof(cpx));
    return p;
  }
  int length = 1;
  while (length < 2 * n - 1)
    length *= 2;
  p->inner = plan_new(length);
  p->chirp = need((size_t)n * sizeof(cpx));
  p->filter = need((size_t)length * sizeof(cpx));
  p->work = need((size_t)length * sizeof(cpx));
  for (int k = 0; k < n; k++)
    p->chirp[k] = root((long)k * k % (2L * n), 2L * n);
  return p;
}

static void transform(plan *p, const cpx *in, cpx *out);

/* The filter's transform is made when it is first needed. */
static void prepare(plan *p) {
  int length = p->inner->n;
  memset(p->work, 0, (size_t)length * sizeof(cpx));
  p->work[0] = conjugate(p->chirp[0]);
  for (int k = 1; k < p->n; k++)
    p->work[k] = p->work[length - k] = conjugate(p->chirp[k]);
  transform(p->inner, p->work, p->filter);
}

static void plan_free(plan *p) {
  if (!p)
    return;
  plan_free(p->inner);
  free(p->roots), free(p->scratch), free(p->chirp), free(p->filter), free(p->work);
  free(p);
}

/* ---- mixed radices: decimation in time ---- */

static void butterfly2(cpx *out, int m, int stride, const cpx *roots) {
  for (int k = 0; k < m; k++) {
    cpx t = times(out[k + m], roots[k * stride]);
    out[k + m] = minus(out[k], t);
    out[k] = plus(out[k], t);
  }
}

static void butterfly4(cpx *out, int m, int stride, const cpx *roots) {
  for (int k = 0; k < m; k++) {
    cpx a = out[k], b = times(out[k + m], roots[k * stride]), c = times(out[k + 2 * m], roots[2 * k * stride]),
        d = times(out[k + 3 * m], roots[3 * k * stride]);
    cpx s = plus(a, c), t = minus(a, c), u = plus(b, d), v = minus(b, d);
    out[k] = plus(s, u);
    out[k + 2 * m] = minus(s, u);
    out[k + m] = make(t.re + v.im, t.im - v.re);
    out[k + 3 * m] = make(t.re - v.im, t.im + v.re);
  }
}

static void butterfly(cpx *out, int m, int stride, int radix, const plan *p) {
  cpx parts[LARGEST_RADIX];
  for (int k = 0; k < m; k++) {
    for (int q = 0; q < radix; q++)
      parts[q] = out[k + q * m];
    for (int q = 0; q < radix; q++) {
      int at = k + q * m, angle = 0;
      cpx sum = parts[0];
      for (int r = 1; r < radix; r++) {
        angle += stride * at;
        angle %= p->n;
        sum = plus(sum, times(parts[r], p->roots[angle]));
      }
      p->scratch[q] = sum;
    }
    for (int q = 0; q < radix; q++)
      out[k + q * m] = p->scratch[q];
  }
}

static void mixed(const plan *p, const cpx *in, cpx *out, int stride, int level, int n) {
  int radix = p->factors[level], m = n / radix;
  for (int q = 0; q < radix; q++) {
    if (m == 1)
      out[q] = in[q * stride];
    else
      mixed(p, in + q * stride, out + q * m, stride * radix, level + 1, m);
  }
  if (radix == 2)
    butterfly2(out, m, stride, p->roots);
  else if (radix == 4)
    butterfly4(out, m, stride, p->roots);
  else
    butterfly(out, m, stride, radix, p);
}

static void bluestein(plan *p, const cpx *in, cpx *out) {
  int length = p->inner->n;
  cpx *signal = need((size_t)length * sizeof(cpx)), *spectrum = need((size_t)length * sizeof(cpx));
  if (size2(p->filter[0]) == 0.0)
    prepare(p);
  for (int k = 0; k < p->n; k++)
    signal[k] = times(in[k], p->chirp[k]);
  transform(p->inner, signal, spectrum);
  for (int k = 0; k < length; k++)
    spectrum[k] = conjugate(times(spectrum[k], p->filter[k]));
  transform(p->inner, spectrum, signal);
  for (int k = 0; k < p->n; k++)
    out[k] = scaled(1.0 / length, times(conjugate(signal[k]), p->chirp[k]));
  free(signal);
  free(spectrum);
}

static void transform(plan *p, const cpx *in, cpx *out) {
  if (p->inner)
    bluestein(p, in, out);
  else if (p->n == 1)
    out[0] = in[0];
  else
    mixed(p, in, out, 1, 0, p->n);
}

static void inverse(plan *p, const cpx *in, cpx *out) {
  cpx *flipped = need((size_t)p->n * sizeof(cpx));
  for (int k = 0; k < p->n; k++)
    flipped[k] = conjugate(in[k]);
  transform(p, flipped, out);
  for (int k = 0; k < p->n; k++)
    out[k] = scaled(1.0 / p->n, conjugate(out[k]));
  free(flipped);
}

/* The definition. */
static void slow(const cpx *in, cpx *out, int n) {
  for (int k = 0; k < n; k++) {
    out[k] = make(0, 0);
    for (int j = 0; j < n; j++)
      out[k] = plus(out[k], times(in[j], root((long)j * k, n)));
  }
}

/* ---- real signals: two halves in one complex transform ---- */

static void real_transform(const double *x, cpx *out, int n) {
  int half = n / 2;
  plan *p = plan_new(half);
  cpx *z = need((size_t)half * sizeof(cpx)), *f = need((size_t)half * sizeof(cpx));
  for (int k = 0; k < half; k++)
    z[k] = make(x[2 * k], x[2 * k + 1]);
  transform(p, z, f);
  for (int k = 0; k <= half; k++) {
    cpx a = f[k % half], b = conjugate(f[(half - k) % half]);
    cpx even = scaled(0.5, plus(a, b)), odd = scaled(0.5, minus(a, b));
    odd = make(odd.im, -odd.re);
    out[k] = plus(even, times(root(k, n), odd));
  }
  free(z), free(f);
  plan_free(p);
}

/* The cosine transform (DCT-II) by a transform of the reordered signal. */
static void cosine_transform(const double *x, double *out, int n) {
  plan *p = plan_new(n);
  cpx *v = need((size_t)n * sizeof(cpx)), *f = need((size_t)n * sizeof(cpx));
  for (int k = 0; k < n; k++) {
    int from = 2 * k < n ? 2 * k : 2 * (n - k) - 1;
    v[k] = make(x[from], 0);
  }
  transform(p, v, f);
  for (int k = 0; k < n; k++)
    out[k] = times(f[k], root(k, 4L * n)).re;
  free(v), free(f);
  plan_free(p);
}

static void transform_2d(cpx *grid, int rows, int columns, int backwards) {
  plan *along = plan_new(columns), *down = plan_new(rows);
  int longest = rows > columns ? rows : columns;
  cpx *line = need((size_t)longest * sizeof(cpx)), *result = need((size_t)longest * sizeof(cpx));
  void (*run)(plan *, const cpx *, cpx *) = backwards ? inverse : transform;
  for (int r = 0; r < rows; r++) {
    run(along, grid + r * columns, result);
    memcpy(grid + r * columns, result, (size_t)columns * sizeof(cpx));
  }
  for (int c = 0; c < columns; c++) {
    for (int r = 0; r < rows; r++)
      line[r] = grid[r * columns + c];
    run(down, line, result);
    for (int r = 0; r < rows; r++)
      grid[r * columns + c] = result[r];
  }
  free(line), free(result);
  plan_free(along), plan_free(down);
}

/* ---- uses ---- */

static void convolve(const double *a, int n, const double *b, int m, double *out) {
  int length = 1;
  while (length < n + m - 1)
    length *= 2;
  plan *p = plan_new(length);
  cpx *x = need((size_t)length * sizeof(cpx)), *f = need((size_t)length * sizeof(cpx)), *g = need((size_t)length * sizeof(cpx));
  for (int k = 0; k < n; k++)
    x[k].re = a[k];
  for (int k = 0; k < m; k++)
    x[k].im = b[k];
  transform(p, x, f);
  for (int k = 0; k < length; k++) {
    cpx s = f[k], t = conjugate(f[(length - k) % length]);
    cpx fa = scaled(0.5, plus(s, t)), fb = scaled(0.5, minus(s, t));
    g[k] = times(fa, make(fb.im, -fb.re));
  }
  inverse(p, g, f);
  for (int k = 0; k < n + m - 1; k++)
    out[k] = f[k].re;
  free(x), free(f), free(g);
  plan_free(p);
}

/* -u'' = f on a torus, by division in Fourier space. */
static void poisson(cpx *f, int n) {
  transform_2d(f, n, n, 0);
  for (int r = 0; r < n; r++)
    for (int c = 0; c < n; c++) {
      double lambda = 4 - 2 * cos(2 * PI * r / n) - 2 * cos(2 * PI * c / n);
      f[r * n + c] = lambda > 0 ? scaled(1 / lambda, f[r * n + c]) : make(0, 0);
    }
  transform_2d(f, n, n, 1);
}

/* The energy that a filter lets through in a band: plain arrays, differentiated in the filter's coefficients. */
enum { TAPS = 5, SIGNAL = 24 };

static double band_energy(const double *taps, const double *signal, int low, int high) {
  double filtered[SIGNAL], energy = 0.0;
  for (int k = 0; k < SIGNAL; k++) {
    filtered[k] = 0.0;
    for (int t = 0; t < TAPS; t++)
      filtered[k] += taps[t] * signal[(k + SIGNAL - t) % SIGNAL];
  }
  for (int f = low; f < high; f++) {
    cpx sum = make(0, 0);
    for (int k = 0; k < SIGNAL; k++)
      sum = plus(sum, scaled(filtered[k], root((long)k * f, SIGNAL)));
    energy += size2(sum);
  }
  return energy / SIGNAL;
}

/* ---- tests ---- */

static int failures = 0;

static void check(double error, double tolerance, const char *what, int n) {
  int good = error <= tolerance;
  printf("%-34s n = %4d: %s\n", what, n, good ? "ok" : "FAILED");
  if (!good) {
    printf("    error %.3e\n", error);
    failures++;
  }
}

static double noise(int k) {
  double x = sin(12.9898 * k + 0.5) * 43758.5453;
  return x - floor(x) - 0.5;
}

static double distance(const cpx *a, const cpx *b, int n) {
  double worst = 0;
  for (int k = 0; k < n; k++)
    worst = fmax(worst, sqrt(size2(minus(a[k], b[k]))));
  return worst;
}

static void test_length(int n) {
  cpx *x = need((size_t)n * sizeof(cpx)), *f = need((size_t)n * sizeof(cpx)), *g = need((size_t)n * sizeof(cpx));
  plan *p = plan_new(n);
  for (int k = 0; k < n; k++)
    x[k] = make(noise(2 * k), noise(2 * k + 1));
  transform(p, x, f);
  slow(x, g, n);
  check(distance(f, g, n), 1e-11, p->inner ? "transform by Bluestein" : "transform by factors", n);
  inverse(p, f, g);
  check(distance(x, g, n), 1e-12, "inverse", n);
  double time = 0, frequency = 0;
  for (int k = 0; k < n; k++) {
    time += size2(x[k]);
    frequency += size2(f[k]) / n;
  }
  check(fabs(time - frequency), 1e-11 * (1 + time), "Parseval", n);
  plan_free(p);
  free(x), free(f), free(g);
}

/* One frequency by Goertzel's recurrence. */
static cpx goertzel(const double *x, int n, int frequency) {
  double angle = 2 * PI * frequency / n, factor = 2 * cos(angle), s1 = 0, s2 = 0;
  for (int k = 0; k < n; k++) {
    double s0 = x[k] + factor * s1 - s2;
    s2 = s1;
    s1 = s0;
  }
  return make(s1 * cos(angle) - s2, s1 * sin(angle));
}

/* A delayed signal has a turned spectrum. */
static void test_shift(int n, int delay) {
  double *x = need((size_t)n * sizeof *x), *y = need((size_t)n * sizeof *y), worst = 0, single = 0;
  cpx *f = need((size_t)n * sizeof(cpx)), *g = need((size_t)n * sizeof(cpx));
  for (int k = 0; k < n; k++) {
    x[k] = noise(k);
    y[(k + delay) % n] = noise(k);
  }
  real_transform(x, f, n);
  real_transform(y, g, n);
  for (int k = 0; k <= n / 2; k++) {
    worst = fmax(worst, size2(minus(g[k], times(f[k], root((long)k * delay, n)))));
    single = fmax(single, size2(minus(f[k], goertzel(x, n, k))));
  }
  check(sqrt(worst), 1e-12, "shift theorem", n);
  check(sqrt(single), 1e-11, "Goertzel's recurrence", n);
  free(x), free(y), free(f), free(g);
}

static void test_real(int n) {
  double *x = need((size_t)n * sizeof *x), *c = need((size_t)n * sizeof *c);
  cpx *z = need((size_t)n * sizeof(cpx)), *f = need((size_t)n * sizeof(cpx)), *g = need((size_t)n * sizeof(cpx));
  for (int k = 0; k < n; k++)
    z[k] = make(x[k] = noise(k), 0);
  real_transform(x, f, n);
  slow(z, g, n);
  check(distance(f, g, n / 2 + 1), 1e-12, "real transform", n);
  cosine_transform(x, c, n);
  double worst = 0;
  for (int k = 0; k < n; k++) {
    double sum = 0;
    for (int j = 0; j < n; j++)
      sum += x[j] * cos(PI * (j + 0.5) * k / n);
    worst = fmax(worst, fabs(sum - c[k]));
  }
  check(worst, 1e-12, "cosine transform", n);
  free(x), free(c), free(z), free(f), free(g);
}

static void test_convolution(void) {
  double a[13], b[6], fast[18], direct[18] = {0}, worst = 0;
  for (int i = 0; i < 13; i++)
    a[i] = noise(i);
  for (int i = 0; i < 6; i++)
    b[i] = noise(100 + i);
  convolve(a, 13, b, 6, fast);
  for (int i = 0; i < 13; i++)
    for (int j = 0; j < 6; j++)
      direct[i + j] += a[i] * b[j];
  for (int i = 0; i < 18; i++)
    worst = fmax(worst, fabs(fast[i] - direct[i]));
  check(worst, 1e-13, "convolution", 18);
}

static void test_poisson(int n) {
  cpx *f = need((size_t)(n * n) * sizeof(cpx)), *u = need((size_t)(n * n) * sizeof(cpx));
  double mean = 0, worst = 0;
  for (int k = 0; k < n * n; k++)
    mean += noise(k) / (n * n);
  for (int k = 0; k < n * n; k++)
    u[k] = f[k] = make(noise(k) - mean, 0);
  poisson(u, n);
  for (int r = 0; r < n; r++)
    for (int c = 0; c < n; c++) {
      double laplacian = 4 * u[r * n + c].re - u[(r + 1) % n * n + c].re - u[(r + n - 1) % n * n + c].re -
                         u[r * n + (c + 1) % n].re - u[r * n + (c + n - 1) % n].re;
      worst = fmax(worst, fabs(laplacian - f[r * n + c].re));
    }
  check(worst, 1e-12, "Poisson's equation", n);
  free(f), free(u);
}

/* A tone between two frequencies, without and with a window. */
static void spectra(int n) {
  double *x = need((size_t)n * sizeof *x);
  cpx *f = need((size_t)n * sizeof(cpx));
  double leak[2];
  for (int windowed = 0; windowed < 2; windowed++) {
    double far = 0, total = 0;
    int loudest = 0;
    for (int k = 0; k < n; k++) {
      double window = windowed ? 0.5 - 0.5 * cos(2 * PI * k / n) : 1.0;
      x[k] = window * sin(2 * PI * 10.4 * k / n);
    }
    real_transform(x, f, n);
    for (int k = 0; k <= n / 2; k++) {
      total += size2(f[k]);
      far += k < 6 || k > 15 ? size2(f[k]) : 0;
      if (size2(f[k]) > size2(f[loudest]))
        loudest = k;
    }
    leak[windowed] = far / total;
    printf("loudest at %d, leakage %.6f%%\n", loudest, 100 * leak[windowed]);
    failures += loudest != 10;
  }
  failures += !(leak[1] < 0.01 * leak[0]);
  free(x), free(f);
}

static void sensitivity(void) {
  double taps[TAPS] = {0.1, 0.25, 0.3, 0.25, 0.1}, dtaps[TAPS] = {0}, signal[SIGNAL], worst = 0;
  for (int k = 0; k < SIGNAL; k++)
    signal[k] = noise(k) + sin(2 * PI * 3 * k / SIGNAL);
  __enzyme_autodiff((void *)band_energy, enzyme_dup, taps, dtaps, enzyme_const, signal, enzyme_const, 1, enzyme_const, 5);
  for (int t = 0; t < TAPS; t++) {
    double h = 1e-5, keep = taps[t];
    taps[t] = keep + h;
    double up = band_energy(taps, signal, 1, 5);
    taps[t] = keep - h;
    double down = band_energy(taps, signal, 1, 5);
    taps[t] = keep;
    printf("d energy / d tap %d = %.10f\n", t, dtaps[t]);
    worst = fmax(worst, fabs((up - down) / (2 * h) - dtaps[t]));
  }
  check(worst, 1e-8, "sensitivities of a filter", TAPS);
}

int main(void) {
  static const int lengths[] = {1, 2, 3, 4, 8, 12, 15, 16, 17, 30, 37, 48};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
    test_length(lengths[i]);
  test_real(16);
  test_real(30);
  test_shift(24, 5);
  test_convolution();
  test_poisson(12);
  spectra(128);
  sensitivity();
  printf("%d failures\n", failures);
  return failures != 0;
}
