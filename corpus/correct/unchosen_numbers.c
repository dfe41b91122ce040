// Numbers beyond all that a format holds, and used only where a branch leads when they are not: they have no part in
// the gradient, nor in that of a tangent.
#include "adj.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double in_a_branch(const double *x, double chosen) {
  double part = x[0] / chosen * x[2], other = exp(-1e3 * log(chosen)) * x[2] * x[0];
  if (chosen > 0.1) return 0.05 * part + other * x[1];
  return 0.3 * x[0] * x[0];
}

static double in_a_loop(const double *x, double chosen) {
  double s = 0;
  for (int i = 0; i < 3; i++) {
    double part = x[0] / chosen * x[2] * (i + 1);
    if (chosen > 0.1)
      s += part * x[i];
    else
      s -= x[i] * x[0];
  }
  return s;
}

static double by_a_loop(const double *x, double chosen) {
  double part = x[0] / chosen * x[2] * x[1], s = x[1] * x[1];
  for (int i = 0; i < (int)(4 * chosen); i++) s += part * x[i];
  return s;
}

/* A point has no distance from itself: what it would do to itself is stored, too, and not read. */
static double in_memory(const double *x, double chosen) {
  double *force = malloc(9 * sizeof(double)), s = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      double near = 1 / (i == j ? chosen : (double)(i * i - j * j));
      force[3 * i + j] = x[i] * x[j] * near;
    }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      if (i != j || chosen > 0.1) s += force[3 * i + j] * (i + 1);
  free(force);
  return s;
}

static double quotient(const double *x, double chosen) {
  double part = x[0] / chosen;
  return chosen > 0.1 ? 0.05 * part : 0.3 * x[0] * x[0];
}

static double tangent(const double *x, const double *v, double chosen) {
  return __enzyme_fwddiff((void *)quotient, enzyme_dup, x, v, enzyme_const, chosen);
}

static int differ(const char *name, const double *a, double first, double second, double third) {
  double right[3] = {first, second, third};
  for (int i = 0; i < 3; i++)
    if (!(fabs(a[i] - right[i]) < 1e-12)) return printf("%s, component %d: %g\n", name, i, a[i]), 1;
  return 0;
}

int main(int argc, char **argv) {
  double x[3] = {-1.5, 0.75, 0.5}, v[3] = {2, 1, 0.5}, chosen = argc > 1 ? 0.5 : 1e-310;
  double a[3] = {0}, b[3] = {0}, c[3] = {0}, d[3] = {0}, e[3] = {0}, f[3] = {0};
  __enzyme_autodiff((void *)in_a_branch, enzyme_dup, x, a, enzyme_const, chosen);
  __enzyme_autodiff((void *)in_a_loop, enzyme_dup, x, b, enzyme_const, chosen);
  __enzyme_autodiff((void *)by_a_loop, enzyme_dup, x, c, enzyme_const, chosen);
  __enzyme_autodiff((void *)in_memory, enzyme_dup, x, f, enzyme_const, chosen);
  __enzyme_autodiff((void *)tangent, enzyme_dup, x, d, enzyme_dup, v, e, enzyme_const, chosen);
  return differ("in a branch", a, 0.6 * x[0], 0, 0) ||
         differ("in a loop", b, -2 * x[0] - x[1] - x[2], -x[0], -x[0]) ||
         differ("by a loop", c, 0, 2 * x[1], 0) || differ("in memory", f, x[1] + x[2] / 2, x[0] + x[2] / 3, x[0] / 2 + x[1] / 3) ||
         differ("tangent", d, 0.6 * v[0], 0, 0) ||
         differ("its direction", e, 0.6 * x[0], 0, 0);
}
