// Sensitivities of an ordinary differential equation by the classical Runge-Kutta method, structures of arrays by pointer,
// and an output that is not needed.
#include "adj.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct model {
  int n;
  double *rates;
  double inflow;
};

static void derivative(const struct model *m, const double *y, double *dy) {
  for (int i = 0; i < m->n; i++) {
    double in = i ? m->rates[i - 1] * y[i - 1] : m->inflow;
    dy[i] = in - m->rates[i] * y[i] * y[i];
  }
}

static void integrate(const struct model *m, double *y, double h, int steps) {
  int n = m->n;
  double *k = malloc(5 * n * sizeof *k), *work = k + 4 * n;
  for (int s = 0; s < steps; s++) {
    derivative(m, y, k);
    for (int stage = 1; stage < 4; stage++) {
      double c = stage < 3 ? 0.5 * h : h;
      for (int i = 0; i < n; i++)
        work[i] = y[i] + c * k[(stage - 1) * n + i];
      derivative(m, work, k + stage * n);
    }
    for (int i = 0; i < n; i++)
      y[i] += h / 6.0 * (k[i] + 2.0 * k[n + i] + 2.0 * k[2 * n + i] + k[3 * n + i]);
  }
  free(k);
}

int main(void) {
  double rates[3] = {0.5, 0.8, 0.3}, drates[3] = {1.0, 0.0, 0.0}, y[3] = {1.0, 0.0, 0.2}, dy[3] = {0.0};
  struct model m = {3, rates, 0.1}, dm = {0, drates, 0.5};
  __enzyme_fwddiff((void *)integrate, enzyme_dup, &m, &dm, enzyme_dupnoneed, y, dy, enzyme_dup, 0.1, 0.0,
                   enzyme_const, 8);
  printf("%.17g %.17g %.17g\n", dy[0], dy[1], dy[2]);
  return 0;
}
