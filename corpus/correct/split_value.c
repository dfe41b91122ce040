// Split reverse mode: the augmented forward returns the tape and the value, the reverse takes the adjoint of the value. Tapes of
// several calls are alive at once and are used up in another order; memory is overwritten in between.
#include "adj.h"
#include <math.h>
#include <stdio.h>

struct forward {
  void *tape;
  double value;
};
struct forward __enzyme_augmentfwd(void *, ...);
double __enzyme_reverse(void *, ...);

// The loop makes the tape as long as the argument says.
static double wave(const double *x, int n, double k) {
  double s = 0.0;
  for (int i = 0; i < n; i++)
    s = sin(s + k * x[i]) * x[i];
  return s * k;
}

int main(void) {
  double x[3] = {0.5, -1.25, 2.0}, dx[3] = {0}, y[2] = {0.75, 1.5}, dy[2] = {0};
  struct forward a = __enzyme_augmentfwd((void *)wave, enzyme_dup, x, dx, enzyme_const, 3, enzyme_out, 0.8);
  struct forward b = __enzyme_augmentfwd((void *)wave, enzyme_dup, y, dy, enzyme_const, 2, enzyme_out, 1.1);
  for (int i = 0; i < 3; i++)
    x[i] = -7.0;
  double da = __enzyme_reverse((void *)wave, enzyme_dup, x, dx, enzyme_const, 3, enzyme_out, 0.8, 2.0, a.tape);
  double db = __enzyme_reverse((void *)wave, enzyme_dup, y, dy, enzyme_const, 2, enzyme_out, 1.1, 1.0, b.tape);
  printf("%.12g %.12g\n", a.value, b.value);
  printf("%.12g %.12g %.12g %.12g\n", da, dx[0], dx[1], dx[2]);
  printf("%.12g %.12g %.12g\n", db, dy[0], dy[1]);
  // The same gradient in one call.
  double z[3] = {0.5, -1.25, 2.0}, dz[3] = {0};
  double whole = __enzyme_autodiff((void *)wave, enzyme_dup, z, dz, enzyme_const, 3, enzyme_out, 0.8);
  for (int i = 0; i < 3; i++)
    if (fabs(dx[i] - 2.0 * dz[i]) > 1e-12)
      return 1;
  return fabs(da - 2.0 * whole) > 1e-12;
}
