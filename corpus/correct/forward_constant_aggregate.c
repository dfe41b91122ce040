// Forward mode of structures that are constant, made of constants, or half of them: a constant aggregate that is returned or stored has
// the tangent zero. And of sums with a constant term, which has none.
#define ADJ_NO_AUTODIFF
#include "adj.h"
#include <stdio.h>

struct pair {
  double a, b;
};
struct triple {
  double a, b, c;
};
double __enzyme_fwddiff(void *, ...);
struct pair __enzyme_fwddiff_pair(void *, ...);
struct triple __enzyme_fwddiff_triple(void *, ...);

static const struct triple offsets = {1.5, -2.0, 0.25};

static struct pair constant_or(double x) {
  struct pair fixed = {3.0, 4.0};
  return x > 10.0 ? (struct pair){x, x * x} : fixed;
}

static struct triple half(double x, const struct triple *o) {
  struct triple t = *o;
  t.b = x * o->b;
  return t;
}

static double additive(double x, double c, const struct triple *o) {
  struct pair p = constant_or(x);
  struct triple t = half(x, o);
  return x + c + p.a + p.b + t.a + t.b + t.c + offsets.b;
}

int main(void) {
  struct triple o = offsets;
  struct pair p = __enzyme_fwddiff_pair((void *)constant_or, enzyme_dup, 2.0, 1.0);
  struct triple t = __enzyme_fwddiff_triple((void *)half, enzyme_dup, 2.0, 1.0, enzyme_const, &o);
  double d = __enzyme_fwddiff((void *)additive, enzyme_dup, 2.0, 1.0, enzyme_const, 100.0, enzyme_const, &o);
  printf("%g %g %g %g %g %g\n", p.a, p.b, t.a, t.b, t.c, d);
  return p.a != 0.0 || p.b != 0.0 || t.a != 0.0 || t.b != -2.0 || t.c != 0.0 || d != -1.0;
}
