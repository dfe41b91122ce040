// An index into an array of any number of dimensions, from variable arguments that are integers.
#include "adj.h"
#include <stdarg.h>

static int offset(const int *shape, int dimensions, ...) {
  va_list index;
  int at = 0;
  va_start(index, dimensions);
  for (int d = 0; d < dimensions; d++) at = at * shape[d] + va_arg(index, int);
  va_end(index);
  return at;
}

static double contraction(const double *tensor, const double *v) {
  static const int shape[3] = {2, 3, 2};
  double s = 0.0;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 2; k++) s += tensor[offset(shape, 3, i, j, k)] * v[i] * v[k] * (j + 1);
  return s * s;
}

int main(void) {
  double tensor[12], dtensor[12] = {0}, v[2] = {0.5, -1.5}, dv[2] = {0};
  for (int i = 0; i < 12; i++) tensor[i] = 0.25 * i - 1.0;
  __enzyme_autodiff((void *)contraction, enzyme_dup, tensor, dtensor, enzyme_dup, v, dv);
  return dv[0] != 0.0 && dtensor[1] != 0.0 ? 0 : 1;
}
