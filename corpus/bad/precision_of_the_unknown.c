// What has no body here and is no function of libm would be carried out in the precision of the program.
//
// adj-exit: 3
// adj-message: `outside` has no body here, and is not known in another precision
#include "adj.h"

typedef double function(double);
function *__enzyme_truncate_op_func(function *, int, int);

double outside(double x);

static double twice(double x) { return 2 * outside(x); }

static double square(double x) { return x * x; }

int main(void) {
  double y = __enzyme_truncate_op_func(twice, 64, 32)(1.5);
  return y + __enzyme_autodiff((void *)square, 1.5) < 0;
}
