// Records of a `float` and a `double`, and vectors of both, that all threads read.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 12 };

struct item {
  float small;
  double large;
};

static double f(const double *x, int n) {
  struct item items[N];
  float weights[N];
  for (int i = 0; i < n; i++) {
    items[i].small = 1;
    items[i].large = x[i];
    weights[i] = 0.5f;
  }
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 3 * n; i++)
    for (int j = 0; j < n; j++)
      sum += items[(i * j) % n].large * items[j].large * items[j].small * weights[(i + j) % n];
  return sum / 100;
}

/* In single precision, whose differences are too coarse. */
static float g(const float *x, int n) {
  float sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 3 * n; i++)
    for (int j = 0; j < n; j++)
      sum += x[(i * j) % n] * x[j];
  return sum;
}

int main(void) {
  double x[N], dx[N];
  float y[N], dy[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  for (int i = 0; i < N; i++) {
    y[i] = 0.25f * i;
    dy[i] = 0;
  }
  __enzyme_autodiff((void *)g, enzyme_dup, y, dy, enzyme_const, N);
  return differing(f, x, dx, N);
}
