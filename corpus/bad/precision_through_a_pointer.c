// What a pointer leads to cannot be carried out in another precision.
//
// adj-exit: 3
// adj-message: what a pointer leads to is not carried out in another precision
#include "adj.h"

typedef double function(double (*)(double), double);
function *__enzyme_truncate_op_func(function *, int, int);

static double square(double x) { return x * x; }

__attribute__((noinline)) static double twice(double (*g)(double), double x) { return g(g(x)); }

int main(void) {
  double y = __enzyme_truncate_op_func(twice, 64, 32)(square, 1.5);
  return y + __enzyme_autodiff((void *)twice, enzyme_const, square, 1.5) < 0;
}
