// The result of one differentiated call is an argument of the next as it stands: a tape, or a derivative of which the derivative is
// taken. In split mode the augmented forward returns the tape alone.
#include "adj.h"
#include <math.h>
#include <stdio.h>

void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);

static void soften(double *x, int n) {
  for (int i = 1; i < n; i++)
    x[i] = tanh(x[i] * x[i - 1]);
}

static double cubic(double x) { return x * x * x - 2.0 * x; }

int main(void) {
  double x[3] = {0.4, -0.9, 1.7}, dx[3] = {0.0, 0.5, 1.0};
  void *tape = __enzyme_augmentfwd((void *)soften, enzyme_dup, x, dx, enzyme_const, 3);
  __enzyme_reverse((void *)soften, enzyme_dup, x, dx, enzyme_const, 3, tape);
  double slope = __enzyme_autodiff((void *)cubic, enzyme_out, 1.5);
  double next = __enzyme_autodiff((void *)cubic, enzyme_out, slope);
  double last = __enzyme_fwddiff((void *)cubic, enzyme_dup, next, slope);
  printf("%.17g %.17g %.17g\n", dx[0], dx[1], dx[2]);
  printf("%.17g %.17g %.17g\n", slope, next, last);
  return slope != 4.75 || fabs(next - (3 * slope * slope - 2.0)) > 1e-12;
}
