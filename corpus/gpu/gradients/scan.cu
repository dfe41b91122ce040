// Products of all that come before, by doubling, between two halves of shared memory.
#include "gradient.h"
__device__ void f(const double *x, double *y, int n) {
  __shared__ double s[2][8];
  int t = threadIdx.x, in = 0;
  s[0][t] = exp(0.3 * x[t]);
  __syncthreads();
  for (int d = 1; d < 8; d *= 2) {
    s[1 - in][t] = t >= d ? s[in][t] * s[in][t - d] : s[in][t];
    in = 1 - in;
    __syncthreads();
  }
  y[t] = s[in][t];
}
KERNEL(f)
int main() { return test<8, 8>(1, 8); }
