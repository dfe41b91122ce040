// A work buffer from malloc, never cleared: written in part, read in part, then cleared by hand and filled again. What was in the memory
// before must not reach the gradient, so other memory is filled with junk and freed first.
#include "adj.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct workspace {
  double *visibility;
  double *closure;
  int used;
};

static void junk(int n) {
  volatile double *p = malloc(n * sizeof *p);
  for (int i = 0; i < n; i++)
    p[i] = 1e180 * (i + 1);
  free((void *)p);
}

static struct workspace open_workspace(int n) {
  struct workspace w = {malloc(n * sizeof(double)), malloc(n * sizeof(double)), 0};
  return w;
}

static double loglikelihood(const double *flux, const double *phase, int n) {
  struct workspace w = open_workspace(n);
  double sum = 0.0;
  for (int i = 0; i + 1 < n; i++) {
    w.visibility[i] = flux[i] * cos(phase[i]) - flux[i + 1] * sin(phase[i + 1]);
    w.used++;
  }
  for (int i = 0; i < w.used; i++)
    sum -= w.visibility[i] * w.visibility[i];
  for (int i = 0; i < n; i++) {
    w.visibility[i] = 0.0;
    w.closure[i] = 0.0;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      w.visibility[j] += flux[i] * phase[j];
      w.closure[i] += w.visibility[j] * w.visibility[j];
    }
  for (int i = 0; i < n; i++)
    sum += log(1.0 + w.closure[i]);
  free(w.visibility);
  free(w.closure);
  return sum;
}

int main(void) {
  double flux[5] = {1.0, 0.7, 0.4, 0.9, 0.2}, phase[5] = {0.3, -0.8, 1.4, 0.1, 0.6}, dflux[5] = {0}, dphase[5] = {0};
  for (int round = 0; round < 3; round++) {
    junk(5);
    __enzyme_autodiff((void *)loglikelihood, enzyme_dup, flux, dflux, enzyme_dup, phase, dphase, enzyme_const, 5);
  }
  for (int i = 0; i < 5; i++)
    printf("%.15g %.15g\n", dflux[i], dphase[i]);
  return 0;
}
