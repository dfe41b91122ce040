// Logistic regression with an entropy penalty, computed in blocks with a carried remainder.
#include "adj.h"
#include <math.h>
#include <stdio.h>

#define SAMPLES 7
#define FEATURES 3

static double objective(const double *w, const double *x, const unsigned char *label, double lambda) {
  double loss = 0.0, entropy = 0.0, norm = 0.0;
  for (int block = 0; block < SAMPLES; block += 3) {
    int end = block + 3 < SAMPLES ? block + 3 : SAMPLES;
    double part = 0.0;
    for (int s = block; s < end; s++) {
      double z = 0.0;
      for (int f = 0; f < FEATURES; f++)
        z += w[f] * x[s * FEATURES + f];
      part += log1p(exp(-fabs(z))) + (z > 0.0 ? z : 0.0) - (label[s] ? z : 0.0);
    }
    loss += part;
  }
  for (int f = 0; f < FEATURES; f++)
    norm += exp(w[f]);
  for (int f = 0; f < FEATURES; f++) {
    double p = exp(w[f]) / norm;
    entropy -= p * log(p);
  }
  return loss / SAMPLES - lambda * entropy;
}

int main(void) {
  const unsigned char label[SAMPLES] = {1, 0, 0, 1, 1, 0, 1};
  double w[FEATURES] = {0.4, -0.7, 0.2}, dw[FEATURES] = {0}, x[SAMPLES * FEATURES];
  for (int i = 0; i < SAMPLES * FEATURES; i++)
    x[i] = 0.35 * ((i * 5) % 9) - 1.3;
  printf("%.17g\n", objective(w, x, label, 0.3));
  double dl = __enzyme_autodiff((void *)objective, enzyme_dup, w, dw, enzyme_const, x, enzyme_const, label,
                                enzyme_out, 0.3);
  printf("%.17g %.17g %.17g %.17g\n", dl, dw[0], dw[1], dw[2]);
  return 0;
}
