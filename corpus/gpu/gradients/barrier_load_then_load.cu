// A barrier between loads.
#include "gradient.h"
__device__ void f(const double *x, double *y, int n) {
  __shared__ double s[6];
  int t = threadIdx.x;
  s[t] = sin(x[t]);
  __syncthreads();
  double v = s[(t + 1) % 6];
  __syncthreads();
  y[t] = v * s[(t + 3) % 6];
}
KERNEL(f)
int main() { return test<6, 6>(1, 6); }
