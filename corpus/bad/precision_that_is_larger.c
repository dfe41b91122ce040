// A format has to fit into the type that holds its numbers.
//
// adj-exit: 3
// adj-message: the format is not smaller than the type
#include "adj.h"

typedef double function(double);
function *__enzyme_truncate_op_func(function *, int, int);

static double square(double x) { return x * x; }

int main(void) {
  double y = __enzyme_truncate_op_func(square, 64, 128)(1.5);
  return y + __enzyme_autodiff((void *)square, 1.5) < 0;
}
