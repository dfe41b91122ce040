// A product of matrices, one element for each thread.
#include "gradient.h"
__device__ void f(const double *x, double *y, int n) {
  const double *a = x, *b = x + 12;
  int r = threadIdx.y, c = threadIdx.x;
  double s = 0;
  for (int k = 0; k < 4; k++) s += a[r * 4 + k] * b[k * 3 + c];
  y[r * 3 + c] = s;
}
KERNEL(f)
int main() { return test<24, 9>(1, dim3(3, 3)); }
