// Bytes that are only moved or cleared: nothing in the run says that they are numbers, but the program's types do.
#include "adj.h"
#include <stdio.h>
#include <string.h>

struct state {
  double position, velocity;
  float mass[2];
};

static void shift(struct state *s, double *history) {
  memmove(s + 1, s, sizeof *s);
  memmove(history + 1, history, 3 * sizeof *history);
  memset(history, 0, sizeof *history);
}

static double cleared(double *x) {
  memset(x, 0, 2 * sizeof *x);
  return x[0] >= 0.5 ? 1.0 : 2.0;
}

static double partly(double *a) {
  double first = a[0] * a[3];
  memmove(a + 1, a, 3 * sizeof *a);
  a[0] = 0.5;
  return first;
}

static void down(double *a) {
  a[1] = 0.5;
  for (int i = 2; i >= 0; i--)
    a[i + 1] = a[i];
}

int main(void) {
  struct state s[2] = {{0.5, -1.5, {2.0f, 0.25f}}, {0.75, 1.25, {4.0f, -0.5f}}};
  struct state d[2] = {{1.0, -2.0, {0.5f, 0.125f}}, {3.0, 0.25, {-1.0f, 0.75f}}};
  double history[4] = {1.0, 2.0, 3.0, 4.0}, dhistory[4] = {0.1, 0.2, 0.3, 0.4};
  __enzyme_autodiff((void *)shift, enzyme_dup, s, d, enzyme_dup, history, dhistory);
  for (int i = 0; i < 2; i++)
    printf("%g %g %g %g\n", d[i].position, d[i].velocity, d[i].mass[0], d[i].mass[1]);
  for (int i = 0; i < 4; i++)
    printf("%g %g\n", history[i], dhistory[i]);
  double x[2] = {1.25, -0.75}, dx[2] = {0.5, 0.25};
  __enzyme_autodiff((void *)cleared, enzyme_dup, x, dx);
  printf("%g %g\n", dx[0], dx[1]);
  double a[4] = {1.5, -0.25, 0.75, 2.0}, da[4] = {0.7, 0.3, 1.1, -1.4};
  __enzyme_autodiff((void *)partly, enzyme_dup, a, da);
  printf("%g %g %g %g\n", da[0], da[1], da[2], da[3]);
  double b[4] = {1.5, -0.25, 0.75, 2.0}, db[4] = {0.7, 0.3, 1.1, -1.4};
  __enzyme_autodiff((void *)down, enzyme_dup, b, db);
  printf("%g %g %g %g\n", db[0], db[1], db[2], db[3]);
  return 0;
}
