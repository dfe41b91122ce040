// Masses joined by springs through a table of integer indices (indirect addressing), with damping.
#include "adj.h"
#include <math.h>
#include <stdio.h>

#define MASSES 5
#define SPRINGS 6

static const int ends[SPRINGS][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {0, 2}, {1, 4}};

static double settle(const double *stiffness, const double *rest, double damping, int steps) {
  double x[MASSES], v[MASSES], force[MASSES];
  for (int i = 0; i < MASSES; i++) {
    x[i] = 0.9 * i;
    v[i] = 0.0;
  }
  for (int s = 0; s < steps; s++) {
    for (int i = 0; i < MASSES; i++)
      force[i] = -damping * v[i];
    for (int k = 0; k < SPRINGS; k++) {
      int a = ends[k][0], b = ends[k][1];
      double stretch = x[b] - x[a] - rest[k];
      double pull = stiffness[k] * stretch * (1.0 + 0.2 * stretch * stretch);
      force[a] += pull;
      force[b] -= pull;
    }
    for (int i = 1; i < MASSES; i++) {
      v[i] += 0.05 * force[i];
      x[i] += 0.05 * v[i];
    }
  }
  double energy = 0.0;
  for (int i = 0; i < MASSES; i++)
    energy += x[i] * x[i] + v[i] * v[i];
  return energy;
}

int main(void) {
  double k[SPRINGS] = {1.0, 1.5, 0.8, 1.2, 0.5, 0.7}, dk[SPRINGS] = {0};
  double r[SPRINGS] = {1.0, 1.1, 0.9, 1.0, 2.2, 2.9}, dr[SPRINGS] = {0};
  printf("%.17g\n", settle(k, r, 0.3, 30));
  double d = __enzyme_autodiff((void *)settle, enzyme_dup, k, dk, enzyme_dup, r, dr, enzyme_out, 0.3,
                               enzyme_const, 30);
  printf("%.17g\n", d);
  for (int i = 0; i < SPRINGS; i++)
    printf("%.17g %.17g\n", dk[i], dr[i]);
  return 0;
}
