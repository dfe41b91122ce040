// Zero to powers above one: the derivative is zero, not the product of zero and infinity or its logarithm, in both modes and with the
// exponent active as well. With a constant exponent of two nothing has to be agreed upon.
#define ADJ_NO_AUTODIFF
#include "adj.h"
#include <math.h>
#include <stdio.h>

struct both {
  double x, y;
};
struct both __enzyme_autodiff_both(void *, ...);
double __enzyme_fwddiff(void *, ...);
void __enzyme_autodiff_void(void *, ...);

static double power(double x, double y) {
  return 3.0 * pow(x, y) + x; //~ convention
}

static double reaction(const double *concentration, int n, double order) {
  double rate = 1.0, sum = 0.0;
  for (int i = 0; i < n; i++) {
    sum += pow(concentration[i], order) * rate;
    rate += sqrt(concentration[i] + 1.0);
  }
  return sum;
}

int main(void) {
  int wrong = 0;
  struct both d = __enzyme_autodiff_both((void *)power, enzyme_out, 0.0, enzyme_out, 2.5);
  wrong += d.x != 1.0 || d.y != 0.0;
  double t = __enzyme_fwddiff((void *)power, enzyme_dup, 0.0, 2.0, enzyme_dup, 1.5, 1.0);
  wrong += t != 2.0;
  double c[4] = {0.0, 0.25, 0.0, 2.0}, dc[4] = {0}, e[4] = {1.0, -1.0, 0.5, 0.25};
  __enzyme_autodiff_void((void *)reaction, enzyme_dup, c, dc, enzyme_const, 4, enzyme_const, 2.0);
  double s = __enzyme_fwddiff((void *)reaction, enzyme_dup, c, e, enzyme_const, 4, enzyme_dup, 2.0, 0.0);
  for (int i = 0; i < 4; i++)
    s -= e[i] * dc[i];
  printf("%g %g %g %.15g %.15g %d\n", d.x, d.y, t, dc[1], dc[3], fabs(s) < 1e-14);
  return wrong;
}
