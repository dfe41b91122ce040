// A registered gradient of a function on arrays: each pointer comes with its shadow, the tape is a block that the augmented
// forward allocates and the reverse frees.
#include "adj.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void soften(double *y, const double *x, int n) {
  for (int i = 0; i < n; i++)
    y[i] = tanh(x[i]);
}

static void *soften_forward(double *y, double *dy, const double *x, double *dx, int n) {
  (void)dy;
  (void)dx;
  double *tape = malloc(n * sizeof *tape);
  soften(y, x, n);
  memcpy(tape, y, n * sizeof *tape);
  return tape;
}

static void soften_reverse(double *y, double *dy, const double *x, double *dx, int n, void *tape) {
  (void)y;
  (void)x;
  const double *t = tape;
  for (int i = 0; i < n; i++) {
    dx[i] += dy[i] * (1.0 - t[i] * t[i]);
    dy[i] = 0.0;
  }
  free(tape);
}

void *__enzyme_register_gradient_soften[] = {(void *)soften, (void *)soften_forward, (void *)soften_reverse};

// The buffer is overwritten in each layer, so that only the tape still has the values.
static double layers(const double *x, const double *w, int n) {
  double *h = malloc(2 * n * sizeof *h), *t = h + n;
  memcpy(h, x, n * sizeof *h);
  for (int layer = 0; layer < 3; layer++) {
    soften(t, h, n);
    for (int i = 0; i < n; i++)
      h[i] = w[layer] * t[i] + 0.5 * t[(i + 1) % n];
  }
  double s = 0.0;
  for (int i = 0; i < n; i++)
    s += h[i] * h[i];
  free(h);
  return s;
}

int main(void) {
  double x[4] = {0.3, -0.8, 1.1, 0.05}, dx[4] = {0}, w[3] = {1.2, -0.7, 0.9}, dw[3] = {0};
  __enzyme_autodiff((void *)layers, enzyme_dup, x, dx, enzyme_dup, w, dw, enzyme_const, 4);
  for (int i = 0; i < 4; i++)
    printf("%.17g\n", dx[i]);
  for (int i = 0; i < 3; i++)
    printf("%.17g\n", dw[i]);
  return 0;
}
