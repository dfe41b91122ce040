// A tree of a warp whose lanes wait for each other by __syncwarp.
#include "gradient.h"
__device__ void f(const double *x, double *y, int n) {
  __shared__ double s[32];
  int t = threadIdx.x;
  s[t] = x[t] * x[t];
  __syncwarp();
  for (int d = 16; d > 0; d /= 2) { if (t < d) s[t] += s[t + d]; __syncwarp(); }
  if (t == 0) y[0] = s[0] * s[0];
}
KERNEL(f)
int main() { return test<32, 1>(1, 32); }
