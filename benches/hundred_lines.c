// A program of a hundred lines for the benchmark: a nonlinear heat equation in implicit steps whose conductivity is
// fitted to observations, and a small neural network. Two gradients.
#include "adj.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CELLS 12
#define STEPS 6

struct tridiagonal {
  double lower[CELLS], diagonal[CELLS], upper[CELLS];
};

static void assemble(struct tridiagonal *m, const double *u, const double *conductivity, double dt) {
  for (int i = 0; i < CELLS; i++) {
    double left = i > 0 ? 0.5 * (u[i] + u[i - 1]) : u[i];
    double right = i + 1 < CELLS ? 0.5 * (u[i] + u[i + 1]) : u[i];
    double kl = conductivity[0] + conductivity[1] * left * left;
    double kr = conductivity[0] + conductivity[1] * right * right;
    m->lower[i] = i > 0 ? -dt * kl : 0.0;
    m->upper[i] = i + 1 < CELLS ? -dt * kr : 0.0;
    m->diagonal[i] = 1.0 - m->lower[i] - m->upper[i];
  }
}

static void solve(struct tridiagonal *m, double *b) {
  for (int i = 1; i < CELLS; i++) {
    double w = m->lower[i] / m->diagonal[i - 1];
    m->diagonal[i] -= w * m->upper[i - 1];
    b[i] -= w * b[i - 1];
  }
  b[CELLS - 1] /= m->diagonal[CELLS - 1];
  for (int i = CELLS - 2; i >= 0; i--)
    b[i] = (b[i] - m->upper[i] * b[i + 1]) / m->diagonal[i];
}

static double misfit(const double *conductivity, const double *start, const double *observed) {
  double u[CELLS];
  struct tridiagonal m;
  memcpy(u, start, sizeof u);
  double sum = 0.0;
  for (int step = 0; step < STEPS; step++) {
    assemble(&m, u, conductivity, 0.2);
    solve(&m, u);
    for (int i = step % 3; i < CELLS; i += 3) {
      double difference = u[i] - observed[i];
      sum += difference * difference;
    }
  }
  return sum;
}

struct layer {
  int inputs, outputs;
  double *weight, *bias;
};

static double *forward(const struct layer *l, const double *x) {
  double *y = malloc((size_t)l->outputs * sizeof *y);
  for (int o = 0; o < l->outputs; o++) {
    double sum = l->bias[o];
    for (int i = 0; i < l->inputs; i++)
      sum += l->weight[o * l->inputs + i] * x[i];
    y[o] = tanh(sum);
  }
  return y;
}

static double network(const struct layer *layers, int count, const double *x) {
  double *y = forward(&layers[0], x);
  for (int k = 1; k < count; k++) {
    double *next = forward(&layers[k], y);
    free(y);
    y = next;
  }
  double result = log1p(exp(y[0])) + hypot(y[0], y[1]);
  free(y);
  return result;
}

int main(void) {
  double k[2] = {0.7, 0.3}, dk[2] = {0}, start[CELLS], dstart[CELLS] = {0}, observed[CELLS];
  for (int i = 0; i < CELLS; i++) {
    start[i] = 1.0 + 0.5 * sin(0.9 * i);
    observed[i] = 1.0 + 0.1 * cos(1.3 * i);
  }
  __enzyme_autodiff((void *)misfit, enzyme_dup, k, dk, enzyme_dup, start, dstart, enzyme_const, observed);
  printf("%.15g %.15g %.15g\n", dk[0], dk[1], dstart[0]);
  double w[3][16], b[3][4], dw[3][16] = {{0}}, db[3][4] = {{0}}, x[4] = {0.4, -0.3, 0.8, 0.1}, dx[4] = {0};
  struct layer layers[3], dlayers[3];
  for (int l = 0; l < 3; l++) {
    for (int i = 0; i < 16; i++)
      w[l][i] = 0.4 * sin(1.0 + 3.0 * i + 7.0 * l);
    for (int i = 0; i < 4; i++)
      b[l][i] = 0.1 * i - 0.05 * l;
    layers[l] = (struct layer){4, 4, w[l], b[l]};
    dlayers[l] = (struct layer){4, 4, dw[l], db[l]};
  }
  __enzyme_autodiff((void *)network, enzyme_dup, layers, dlayers, enzyme_const, 3, enzyme_dup, x, dx);
  printf("%.15g %.15g\n", dx[0], dw[0][0]);
  return 0;
}
