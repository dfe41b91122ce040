/* A number that is moved on, in bytes, before constant bytes take its place: its derivative goes with it. */
#include <adj.h>
#include <string.h>

static double shift(double *a) {
  memmove(a, a + 1, 2 * sizeof(double));
  return 0.5;
}

static double f(double *a, const double *next) {
  shift(a);
  memmove(a + 2, next, sizeof(double));
  return 0.5;
}

int main(void) {
  double a[3] = {-0.1848, 0.4472, -0.607}, da[3] = {0.8981, -0.4892, 0.4506}, next[1] = {-0.8538};
  double b[3] = {-0.1848, 0.4472, -0.607}, db[3] = {0.8981, -0.4892, 0.4506};
  double along = __enzyme_fwddiff((void *)f, enzyme_dup, a, da, enzyme_const, next);
  __enzyme_autodiff((void *)f, enzyme_dup, b, db, enzyme_const, next);
  int forward = along == 0.0 && da[0] == -0.4892 && da[1] == 0.4506 && da[2] == 0.0;
  int reverse = db[0] == 0.0 && db[1] == 0.8981 && db[2] == -0.4892;
  return !(forward && reverse);
}
