// Formats below `float`: `half`, as the type `_Float16` computes; and one that no type has, whose numbers have so few
// bits that sums are exact or visibly rounded. Methods and closures are put into it, too.
#include "adj.h"
#include <cmath>

template <class Function> Function *__enzyme_truncate_op_func(Function *, int, int);
template <class Function> Function *__enzyme_truncate_op_func(Function *, int, int, int);

struct Polynomial {
  double a, b;
  double at(double x) const { return (a * x + b) * x; }
};

static double both(double x, double y) {
  Polynomial p{0.1, 3};
  auto sum = [&](double z) { return p.at(z) + std::sqrt(y); };
  return sum(x) / y;
}

static _Float16 in_half(_Float16 x, _Float16 y) {
  _Float16 a = (_Float16)0.1, b = 3;
  _Float16 s = (_Float16)(a * x + b);
  s = (_Float16)(s * x) + (_Float16)std::sqrt((float)y);
  return s / y;
}

static double add(double x, double y) { return x + y; }

int main() {
  double x = 1.2998046875, y = 2.69921875;
  _Float16 a = (_Float16)0.1 * (_Float16)x;
  double half = __enzyme_truncate_op_func(both, 64, 16)(x, y);
  if (half != (double)(_Float16)half || std::fabs(half - (double)in_half((_Float16)x, (_Float16)y)) > 0.002 || a <= 0)
    return 1;
  // Three bits behind the leading one: 8 + 0.25 is 8, 8 + 0.75 is 9, a tie goes to the even number, 15.5 is infinite.
  auto *rounded = __enzyme_truncate_op_func(add, 64, 4, 3);
  if (rounded(8, 0.25) != 8 || rounded(8, 0.75) != 9 || rounded(8, 0.5) != 8 || rounded(9, 0.5) != 10)
    return 1;
  if (rounded(240, 8) != INFINITY || rounded(224, 16) != 240 || rounded(0.0009765625, 0) != 0)
    return 1;
  return __enzyme_autodiff<double>((void *)__enzyme_truncate_op_func(both, 64, 32), enzyme_out, x, enzyme_const, y) < 0;
}
