// A number that all threads read: y = a x, with a in front of x.
#include "gradient.h"
__device__ void f(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1) y[i] = x[0] * x[1 + i];
}
KERNEL(f)
int main() { return test<10, 9>(3, 4); }
