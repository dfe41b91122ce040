// A sum of a warp by shuffles, with weights.
#include "gradient.h"
__device__ void f(const double *x, double *y, int n) {
  double v = x[threadIdx.x] * x[threadIdx.x];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d) * (1 + 0.1 * d);
  if (threadIdx.x == 0) y[0] = v * v;
}
KERNEL(f)
int main() { return test<32, 1>(1, 32); }
