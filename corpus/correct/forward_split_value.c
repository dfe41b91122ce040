// Tangents alone, of functions that have run already and leave no tape: by value, of a memory that is only read, in several directions.
#define ADJ_NO_AUTODIFF
#include "adj.h"
#include <math.h>
#include <stdio.h>

struct two {
  double a, b;
};

double __enzyme_fwdsplit(void *, ...);
struct two __enzyme_fwdsplit_two(void *, ...);

static double damped(double t, double rate) { return exp(-rate * t) * cos(3.0 * t); }

static double norm(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i] * (i + 1);
  return sqrt(sum);
}

static double table(const double *knots, double at) {
  double local[4], sum = 0.0;
  for (int i = 0; i < 4; i++)
    local[i] = knots[i] * (at - i);
  for (int i = 0; i < 4; i++)
    sum += local[i] * local[(i + 1) % 4];
  return sum;
}

int main(void) {
  double x[3] = {0.5, -1.0, 2.0}, dx[3] = {1.0, 0.5, -0.25}, dy[3] = {0.0, 1.0, 0.0};
  double knots[4] = {1.0, 0.25, -0.5, 2.0}, dknots[4] = {0.5, 0.0, 1.0, -1.0};
  printf("%.12g\n", __enzyme_fwdsplit((void *)damped, enzyme_dup, 0.7, 1.0, enzyme_dup, 0.3, 0.5, (void *)0));
  printf("%.12g\n", __enzyme_fwdsplit((void *)norm, enzyme_dup, x, dx, enzyme_const, 3, (void *)0));
  struct two t = __enzyme_fwdsplit_two((void *)norm, enzyme_width, 2, enzyme_dup, x, dx, dy, enzyme_const, 3, (void *)0);
  printf("%.12g %.12g\n", t.a, t.b);
  printf("%.12g\n", __enzyme_fwdsplit((void *)table, enzyme_dup, knots, dknots, 1.25, 0.125, (void *)0));
  return 0;
}
