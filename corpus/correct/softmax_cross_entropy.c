// A linear layer, softmax in place and cross-entropy against integer labels.
#include "adj.h"
#include <math.h>
#include <stdio.h>

#define CLASSES 3
#define FEATURES 4
#define SAMPLES 3

static void softmax(double *v, int n) {
  double top = v[0], sum = 0.0;
  for (int i = 1; i < n; i++)
    top = fmax(top, v[i]);
  for (int i = 0; i < n; i++) {
    v[i] = exp(v[i] - top);
    sum += v[i];
  }
  for (int i = 0; i < n; i++)
    v[i] /= sum;
}

static double loss(const double *w, const double *x, const int *label) {
  double total = 0.0;
  for (int s = 0; s < SAMPLES; s++) {
    double v[CLASSES];
    for (int c = 0; c < CLASSES; c++) {
      v[c] = 0.0;
      for (int f = 0; f < FEATURES; f++)
        v[c] += w[c * FEATURES + f] * x[s * FEATURES + f];
    }
    softmax(v, CLASSES);
    total -= log(v[label[s]]);
  }
  return total / SAMPLES;
}

int main(void) {
  const int label[SAMPLES] = {2, 0, 1};
  double w[CLASSES * FEATURES], dw[CLASSES * FEATURES] = {0}, x[SAMPLES * FEATURES];
  for (int i = 0; i < CLASSES * FEATURES; i++)
    w[i] = 0.1 * ((i * 5) % 7) - 0.3;
  for (int i = 0; i < SAMPLES * FEATURES; i++)
    x[i] = 0.2 * ((i * 3) % 8) - 0.6;
  printf("%.17g\n", loss(w, x, label));
  __enzyme_autodiff((void *)loss, enzyme_dup, w, dw, enzyme_const, x, enzyme_const, label);
  for (int i = 0; i < CLASSES * FEATURES; i++)
    printf("%.17g\n", dw[i]);
  return 0;
}
