// A barrier between stores and loads.
#include "gradient.h"
__device__ void f(const double *x, double *y, int n) {
  __shared__ double s[6];
  int t = threadIdx.x;
  s[t] = x[t] * x[t];
  __syncthreads();
  y[t] = s[(t + 1) % 6] * s[t];
}
KERNEL(f)
int main() { return test<6, 6>(1, 6); }
