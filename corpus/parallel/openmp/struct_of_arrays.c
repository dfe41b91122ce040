// Arrays in a structure.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 8 };

struct body {
  double x, v, m;
};
static double f(const double *x, int n) {
  struct body b[N];
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    b[i] = (struct body){x[i], 0, 1 + x[i]};
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    double force = 0;
    for (int j = 0; j < n; j++)
      force += b[j].m * (b[j].x - b[i].x) / (1 + (b[j].x - b[i].x) * (b[j].x - b[i].x));
    b[i].v += force / b[i].m;
  }
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += b[i].v * b[i].v;
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
