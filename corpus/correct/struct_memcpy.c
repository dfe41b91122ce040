// Structures with integers beside floats, copied by assignment and by memcpy.
#include "adj.h"
#include <stdio.h>
#include <string.h>

struct particle {
  int id;
  float charge;
  double position[2];
  double mass;
};

static double energy(const struct particle *p, int n) {
  struct particle copy[4], last;
  memcpy(copy, p, (size_t)n * sizeof *p);
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    last = copy[i];
    copy[i].mass *= 2.0;
    last.position[0] *= last.position[1];
    sum += last.mass * last.position[0] + (double)last.charge * copy[i].mass * (1 + last.id);
  }
  return sum + copy[0].mass * copy[n - 1].position[1];
}

int main(void) {
  struct particle p[4], dp[4];
  memset(dp, 0, sizeof dp);
  for (int i = 0; i < 4; i++) {
    p[i].id = dp[i].id = i;
    p[i].charge = 0.25f * (float)(i + 1);
    p[i].position[0] = 1.0 + 0.5 * i;
    p[i].position[1] = 2.0 - 0.3 * i;
    p[i].mass = 0.7 + 0.1 * i;
  }
  printf("%.17g\n", energy(p, 4));
  __enzyme_autodiff((void *)energy, enzyme_dup, p, dp, enzyme_const, 4);
  for (int i = 0; i < 4; i++)
    printf("%.9g %.17g %.17g %.17g\n", dp[i].charge, dp[i].position[0], dp[i].position[1], dp[i].mass);
  return 0;
}
