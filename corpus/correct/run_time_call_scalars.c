// A call through a pointer that only the run knows, with several active scalars by value and memory beside them: each contribution is
// added once, so twice the seed gives twice the gradient.
#include "adj.h"
#include <math.h>
#include <stdio.h>

typedef double (*law)(double, double, double *);

static double spring(double k, double u, double *stress) {
  *stress += k * u;
  return 0.5 * k * u * u;
}

static double rubber(double k, double u, double *stress) {
  *stress += k * (exp(u) - 1.0);
  return k * (exp(u) - u - 1.0);
}

static const law laws[2] = {spring, rubber};

static double bar(const double *k, const double *u, const int *kind, double *stress, double seed, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    law of = laws[kind[i]];
    sum += of(k[i], u[i], stress) + of(k[i], -u[i] * u[i], stress);
  }
  return seed * (sum + *stress * *stress);
}

int main(void) {
  double k[4] = {1.0, 2.0, 0.5, 1.5}, u[4] = {0.3, -0.2, 0.8, 0.1}, once[4] = {0}, twice[4] = {0};
  int kind[4] = {0, 1, 1, 0}, wrong = 0;
  for (int seed = 1; seed <= 2; seed++) {
    double stress = 0.0, dstress = 0.0, dk[4] = {0}, *du = seed == 1 ? once : twice;
    __enzyme_autodiff((void *)bar, enzyme_dup, k, dk, enzyme_dup, u, du, enzyme_const, kind, enzyme_dup, &stress, &dstress,
                      enzyme_const, (double)seed, enzyme_const, 4);
    for (int i = 0; i < 4; i++)
      printf("%.15g %.15g\n", dk[i], du[i]);
  }
  for (int i = 0; i < 4; i++)
    wrong += twice[i] != 2.0 * once[i];
  return wrong;
}
