// Three gravitating bodies by leapfrog; forces are gathered for pairs with softening.
#include "adj.h"
#include <math.h>
#include <stdio.h>

#define N 3

struct body {
  double position[3];
  double velocity[3];
  double mass;
};

static void kick(struct body *b, double dt) {
  for (int i = 0; i < N; i++)
    for (int j = i + 1; j < N; j++) {
      double d[3], r2 = 0.01;
      for (int k = 0; k < 3; k++) {
        d[k] = b[j].position[k] - b[i].position[k];
        r2 += d[k] * d[k];
      }
      double f = dt / (r2 * sqrt(r2));
      for (int k = 0; k < 3; k++) {
        b[i].velocity[k] += f * b[j].mass * d[k];
        b[j].velocity[k] -= f * b[i].mass * d[k];
      }
    }
}

static void simulate(struct body *b, int steps, double dt) {
  for (int s = 0; s < steps; s++) {
    kick(b, 0.5 * dt);
    for (int i = 0; i < N; i++)
      for (int k = 0; k < 3; k++)
        b[i].position[k] += dt * b[i].velocity[k];
    kick(b, 0.5 * dt);
  }
}

int main(void) {
  struct body b[N] = {{{0, 0, 0}, {0, 0.1, 0}, 3.0}, {{1, 0, 0.1}, {0, 1.6, 0}, 0.3}, {{-1.5, 0.2, 0}, {0.1, -1.3, 0.05}, 0.2}};
  struct body d[N];
  for (int i = 0; i < N; i++)
    for (int k = 0; k < 3; k++) {
      d[i].position[k] = i == 1 ? 1.0 : 0.0;
      d[i].velocity[k] = d[i].mass = 0.0;
    }
  __enzyme_autodiff((void *)simulate, enzyme_dup, b, d, enzyme_const, 12, enzyme_const, 0.03);
  for (int i = 0; i < N; i++) {
    printf("%.17g\n", d[i].mass);
    for (int k = 0; k < 3; k++)
      printf("%.17g %.17g %.17g\n", b[i].position[k], d[i].position[k], d[i].velocity[k]);
  }
  return 0;
}
