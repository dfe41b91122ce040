// Value and gradient of one call of a method: the object is duplicated, and the value comes back beside the component of the argument.
#include "adj.h"
#include <cmath>

extern int enzyme_primal_return;

struct Both {
  double value, slope;
};
extern Both __enzyme_autodiff_both(void *, ...);

class Spline {
public:
  Spline(double a, double b, double c) : coefficients{a, b, c} {}
  double operator()(double t) const { return coefficients[0] + t * (coefficients[1] + t * coefficients[2]); }
  double coefficients[3];
};

static double evaluate(const Spline *s, double t) { return std::sqrt(1.0 + (*s)(t) * (*s)(t)); }

int main() {
  Spline s(1.0, -0.5, 0.25), ds(0.0, 0.0, 0.0);
  Both both = __enzyme_autodiff_both((void *)evaluate, enzyme_primal_return, enzyme_dup, &s, &ds, enzyme_out, 1.5);
  return both.value == evaluate(&s, 1.5) && ds.coefficients[0] != 0.0 && both.slope != 0.0 ? 0 : 1;
}
