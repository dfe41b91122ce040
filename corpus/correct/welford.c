// Running mean, variance and skewness by Welford's update in one structure of state.
#include "adj.h"
#include <math.h>
#include <stdio.h>

struct moments {
  long count;
  double mean, m2, m3;
};

static void add(struct moments *m, double x) {
  long n = m->count++;
  double delta = x - m->mean, step = delta / (double)(n + 1), term = delta * step * (double)n;
  m->mean += step;
  m->m3 += term * step * (double)(n - 1) - 3.0 * step * m->m2;
  m->m2 += term;
}

static double skewness(const double *x, int n) {
  struct moments m = {0, 0.0, 0.0, 0.0};
  for (int i = 0; i < n; i++)
    add(&m, x[i]);
  return sqrt((double)m.count) * m.m3 / pow(m.m2, 1.5) + m.mean;
}

int main(void) {
  double x[9] = {1.0, 2.5, -0.3, 4.1, 0.8, 1.9, 7.2, 0.1, 2.2}, dx[9] = {0};
  printf("%.17g\n", skewness(x, 9));
  __enzyme_autodiff((void *)skewness, enzyme_dup, x, dx, enzyme_const, 9);
  for (int i = 0; i < 9; i++)
    printf("%.17g\n", dx[i]);
  return 0;
}
