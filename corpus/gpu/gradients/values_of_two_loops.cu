// Loops of different length in each thread, whose values the reverse pass needs.
#include "gradient.h"
__device__ void f(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s = 0;
  for (int k = 0; k <= i; k++) { double v = x[k]; for (int j = 0; j < k + 2; j++) v = sin(v) * x[i]; s += v; }
  y[i] = s * s;
}
KERNEL(f)
int main() { return test<7, 7>(2, 4); }
