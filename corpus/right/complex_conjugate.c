// The adjoint of a complex product with the conjugate where it belongs, for a complex seed.
#include "adj.h"
#include <stdio.h>

struct complex {
  double re, im;
};

static void product(const struct complex *a, const struct complex *b, struct complex *out) {
  out->re = a->re * b->re - a->im * b->im;
  out->im = a->re * b->im + a->im * b->re;
}

static void dproduct(const struct complex *a, struct complex *da, const struct complex *b, struct complex *db,
                     struct complex *out, struct complex *dout) {
  product(a, b, out);
  da->re += dout->re * b->re + dout->im * b->im;
  da->im += dout->im * b->re - dout->re * b->im;
  db->re += dout->re * a->re + dout->im * a->im;
  db->im += dout->im * a->re - dout->re * a->im;
  dout->re = 0.0;
  dout->im = 0.0;
}

int main(void) {
  struct complex a = {0.6, -1.2}, b = {1.5, 0.4}, da = {0, 0}, db = {0, 0}, out = {0, 0}, dout = {0.7, -1.3};
  __adj_check_gradient((void *)product, (void *)dproduct, enzyme_dup, &a, &da, enzyme_dup, &b, &db, enzyme_dup, &out,
                       &dout);
  printf("%.17g %.17g\n%.17g %.17g\n", da.re, da.im, db.re, db.im);
  return 0;
}
