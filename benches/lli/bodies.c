// Bodies that attract each other, with leapfrog steps.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
enum { N = 8 };
struct body {
  double x[3], v[3], mass;
};
static struct body all[N];
static void accelerate(double h) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      if (i == j)
        continue;
      double d[3], r2 = 0.01;
      for (int k = 0; k < 3; k++) {
        d[k] = all[j].x[k] - all[i].x[k];
        r2 += d[k] * d[k];
      }
      double factor = h * all[j].mass / (r2 * sqrt(r2));
      for (int k = 0; k < 3; k++)
        all[i].v[k] += factor * d[k];
    }
}
int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 1;
  for (int i = 0; i < N; i++) {
    all[i].mass = 1.0 + 0.1 * i;
    for (int k = 0; k < 3; k++) {
      all[i].x[k] = ((i * 7 + k * 3) % 11) * 0.3;
      all[i].v[k] = ((i + k) % 3 - 1) * 0.05;
    }
  }
  for (int r = 0; r < rounds; r++) {
    accelerate(0.001);
    for (int i = 0; i < N; i++)
      for (int k = 0; k < 3; k++)
        all[i].x[k] += 0.001 * all[i].v[k];
  }
  double energy = 0;
  for (int i = 0; i < N; i++)
    for (int k = 0; k < 3; k++)
      energy += 0.5 * all[i].mass * all[i].v[k] * all[i].v[k];
  printf("%.17g\n", energy);
  return 0;
}
