// Forward over reverse of straight-line arithmetic on adjacent cells, which the optimiser packs into vectors: some lanes of a packed
// operation belong to values without a derivative, or to the first derivative only.
#define ADJ_NO_AUTODIFF
#include "adj.h"
#include <math.h>
#include <stdio.h>

void __enzyme_autodiff_void(void *, ...);
void __enzyme_fwddiff_void(void *, ...);

static double mixed(const double *x, const double *k) {
  double a[4], b[4];
  a[0] = x[0] * x[1] + k[0];
  a[1] = x[1] * x[2] + k[1];
  a[2] = x[2] * x[3] + k[2];
  a[3] = x[3] * x[0] + k[3];
  b[0] = a[0] / (1.0 + a[1] * a[1]);
  b[1] = a[1] / (1.0 + a[2] * a[2]);
  b[2] = a[2] / (1.0 + k[0] * k[1]);
  b[3] = a[3] / (1.0 + a[0] * a[0]);
  double low = b[0] < b[1] ? b[0] : b[1];
  double high = b[2] > b[3] ? b[2] : b[3];
  double root = sqrt(b[0] * b[0] + b[1] * b[1] + b[2] * b[2] + b[3] * b[3]);
  return low * high + root - (b[0] - b[2]) * (b[1] - b[3]) * k[3];
}

static void gradient(const double *x, const double *k, double *g) {
  g[0] = g[1] = g[2] = g[3] = 0.0;
  __enzyme_autodiff_void((void *)mixed, enzyme_dup, x, g, enzyme_const, k);
}

int main(void) {
  double x[4] = {0.7, -1.3, 0.4, 1.9}, k[4] = {0.5, -0.25, 2.0, 1.0}, h[4][4];
  for (int i = 0; i < 4; i++) {
    double e[4] = {0}, g[4];
    e[i] = 1.0;
    __enzyme_fwddiff_void((void *)gradient, enzyme_dup, x, e, enzyme_const, k, enzyme_dup, g, h[i]);
  }
  int wrong = 0;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      printf("%.12g\n", h[i][j]);
      wrong += !(fabs(h[i][j] - h[j][i]) < 1e-12);
    }
  return wrong;
}
