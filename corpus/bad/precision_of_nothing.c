// What is put into another precision is a function with a body.
//
// adj-exit: 3
// adj-message: `outside` has no body here
#include "adj.h"

typedef double function(double);
function *__enzyme_truncate_op_func(function *, int, int);

double outside(double x);

static double square(double x) { return x * x; }

int main(void) {
  double y = __enzyme_truncate_op_func(outside, 64, 32)(1.5);
  return y + __enzyme_autodiff((void *)square, 1.5) < 0;
}
