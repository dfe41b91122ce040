// A tangent by hand that forgets the second factor's tangent: right for the program's direction, in which that factor
// does not move, and wrong for others.
#include "adj.h"

static void products(const double *a, const double *b, double *out, int n) {
  for (int i = 0; i < n; i++)
    out[i] = a[i] * b[i];
}

static void tproducts(const double *a, const double *da, const double *b, const double *db, double *out, double *dout,
                      int n) {
  for (int i = 0; i < n; i++) {
    out[i] = a[i] * b[i];
    dout[i] = da[i] * b[i]; //~ wrong: activity
  }
  (void)db;
}

int main(void) {
  double a[2] = {1.5, 2.0}, da[2] = {1.0, -1.0}, b[2] = {0.5, 3.0}, db[2] = {0.0, 0.0}, out[2], dout[2];
  __adj_check_tangent((void *)products, (void *)tproducts, enzyme_dup, a, da, enzyme_dup, b, db, enzyme_dup, out, dout,
                      enzyme_const, 2);
  return 0;
}
