// Complex: the adjoint of a complex product must use the conjugate of the other factor; `df` uses
// the factor itself. Evidence, in the real embedding and with a real seed: the real component is
// right and the imaginary one has the opposite sign.
#include "adj.h"
#include <stdio.h>

struct complex {
  double re, im;
};

static void product(const struct complex *a, const struct complex *b, struct complex *out) {
  out->re = a->re * b->re - a->im * b->im;
  out->im = a->re * b->im + a->im * b->re;
}

static void dproduct(const struct complex *a, struct complex *da, const struct complex *b, struct complex *out,
                     struct complex *dout) {
  product(a, b, out);
  da->re += dout->re * b->re;
  da->im += dout->re * b->im; //~ wrong: complex
  dout->re = 0.0;
  dout->im = 0.0;
}

int main(void) {
  struct complex a = {0.6, -1.2}, b = {1.5, 0.4}, da = {0, 0}, out = {0, 0}, dout = {1.0, 0.0};
  __adj_check_gradient((void *)product, (void *)dproduct, enzyme_dup, &a, &da, enzyme_const, &b, enzyme_dup, &out,
                       &dout);
  printf("%.17g %.17g\n", out.re, out.im);
  return 0;
}
