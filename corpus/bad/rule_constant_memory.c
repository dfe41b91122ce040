// A registered gradient writes to the shadow of an array that the call passes as constant, so that there is none.
// adj-exit: 3
// adj-message: pass it with `enzyme_dup`
#include "adj.h"
#include <stdio.h>

static void scale(double *y, const double *w, int n) {
  for (int i = 0; i < n; i++)
    y[i] *= w[i];
}
static void scale_forward(double *y, double *dy, const double *w, double *dw, int n) {
  (void)dy;
  (void)dw;
  scale(y, w, n);
}
static void scale_reverse(double *y, double *dy, const double *w, double *dw, int n) {
  for (int i = 0; i < n; i++) {
    dw[i] += dy[i] * y[i] / w[i];
    dy[i] *= w[i];
  }
}
void *__enzyme_register_gradient_scale[] = {(void *)scale, (void *)scale_forward, (void *)scale_reverse};

static double f(double *y, const double *w, int n) {
  scale(y, w, n);
  return y[0] * y[n - 1];
}

int main(void) {
  double y[2] = {1.0, 2.0}, dy[2] = {0}, w[2] = {3.0, 4.0};
  __enzyme_autodiff((void *)f, enzyme_dup, y, dy, enzyme_const, w, enzyme_const, 2);
  printf("%g %g\n", dy[0], dy[1]);
  return 0;
}
