// Several directions through local arrays and structures whose address is taken, of constant and of variable size, in both modes.
#define ADJ_NO_AUTODIFF
#include "adj.h"
#include <math.h>
#include <stdio.h>

extern int enzyme_width;

struct three {
  double of[3];
};
struct three __enzyme_fwddiff_three(void *, ...);
void __enzyme_autodiff_void(void *, ...);

struct pair {
  double value;
  int uses;
  double scale;
};

static void touch(struct pair *p, double x) {
  p->value += x * p->scale;
  p->scale *= 1.0 + 0.1 * p->value;
  p->uses++;
}

static double local(const double *x, int n) {
  struct pair p = {0.5, 0, 1.0}, *which[2];
  struct pair q = p;
  double buffer[n], corner[2][2] = {{1.0, 0.0}, {0.0, 1.0}};
  which[0] = &p;
  which[1] = &q;
  for (int i = 0; i < n; i++) {
    touch(which[i % 2], x[i]);
    buffer[i] = p.value * q.scale;
    corner[i % 2][i / 2 % 2] += sin(buffer[i / 2]);
  }
  return corner[0][0] * corner[1][1] - corner[0][1] * corner[1][0] + buffer[n - 1] * p.uses;
}

int main(void) {
  double x[4] = {0.3, 0.9, -0.5, 1.2}, e[3][4] = {{1.0}, {0.0, 1.0}, {0.5, 0.0, -1.0, 2.0}}, g[3][4] = {{0}};
  struct three t = __enzyme_fwddiff_three((void *)local, enzyme_width, 3, enzyme_dup, x, e[0], e[1], e[2], enzyme_const, 4);
  __enzyme_autodiff_void((void *)local, enzyme_width, 3, enzyme_dup, x, g[0], g[1], g[2], enzyme_const, 4);
  int wrong = 0;
  for (int k = 0; k < 3; k++) {
    double sum = 0.0;
    for (int i = 0; i < 4; i++)
      sum += e[k][i] * g[k][i];
    printf("%.13g\n", t.of[k]);
    wrong += !(fabs(sum - t.of[k]) < 1e-13);
  }
  return wrong;
}
