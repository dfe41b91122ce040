// A function that asks for a derivative, in another precision: the derivative is computed in it, too.
#include "adj.h"
#include <cmath>

template <class Function> Function *__enzyme_truncate_op_func(Function *, int, int);
template <class Function> Function *__enzyme_truncate_op_func(Function *, int, int, int);

template <class Number> static Number energy(Number x, Number y) {
  Number sum = 0;
  for (int i = 1; i < 4; i++)
    sum += std::exp(-x * i) * y / i;
  return sum * sum;
}

static double of_doubles(double x, double y) { return energy(x, y); }
static float of_floats(float x, float y) { return energy(x, y); }

static double slope(double x, double y) {
  return __enzyme_autodiff<double>((void *)of_doubles, enzyme_out, x, enzyme_const, y);
}

static float slope_in_float(float x, float y) {
  return __enzyme_autodiff<float>((void *)of_floats, enzyme_out, x, enzyme_const, y);
}

int main() {
  float wanted = slope_in_float(0.75f, 1.5f);
  double whole = slope(0.75, 1.5);
  double narrow = __enzyme_truncate_op_func(slope, 64, 32)(0.75, 1.5);
  // The last bit depends on the order of operations.
  if (std::fabs(narrow - wanted) > 4e-7 * std::fabs(wanted) || narrow != (float)narrow || narrow == whole)
    return 1;
  double coarse = __enzyme_truncate_op_func(slope, 64, 8, 7)(0.75, 1.5);
  return std::fabs(coarse / whole - 1) > 0.1 || coarse == narrow;
}
