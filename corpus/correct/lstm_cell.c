// An LSTM cell unrolled over a sequence: gates by sigmoid and tanh, two states carried along.
#include "adj.h"
#include <math.h>
#include <stdio.h>

#define H 2
#define T 4

static double sigmoid(double x) {
  return 1.0 / (1.0 + exp(-x));
}

static double lstm(const double *w, const double *input) {
  double h[H] = {0.0, 0.0}, c[H] = {0.1, -0.1}, loss = 0.0;
  for (int t = 0; t < T; t++) {
    double gate[4][H];
    for (int g = 0; g < 4; g++)
      for (int i = 0; i < H; i++) {
        const double *row = w + (g * H + i) * (H + 2);
        double sum = row[H + 1] + row[H] * input[t];
        for (int j = 0; j < H; j++)
          sum += row[j] * h[j];
        gate[g][i] = g == 3 ? tanh(sum) : sigmoid(sum);
      }
    for (int i = 0; i < H; i++) {
      c[i] = gate[0][i] * c[i] + gate[1][i] * gate[3][i];
      h[i] = gate[2][i] * tanh(c[i]);
      loss += (h[i] - 0.2 * t) * (h[i] - 0.2 * t);
    }
  }
  return loss;
}

int main(void) {
  enum { W = 4 * H * (H + 2) };
  double w[W], dw[W] = {0}, x[T] = {0.5, -0.3, 0.8, 0.1}, dx[T] = {0};
  for (int i = 0; i < W; i++)
    w[i] = 0.3 * sin(1.0 + i);
  printf("%.17g\n", lstm(w, x));
  __enzyme_autodiff((void *)lstm, enzyme_dup, w, dw, enzyme_dup, x, dx);
  for (int i = 0; i < W; i++)
    printf("%.17g\n", dw[i]);
  for (int i = 0; i < T; i++)
    printf("%.17g\n", dx[i]);
  return 0;
}
