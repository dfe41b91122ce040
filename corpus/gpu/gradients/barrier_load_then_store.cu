// A barrier between loads and stores.
#include "gradient.h"
__device__ void f(const double *x, double *y, int n) {
  __shared__ double s[6];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  double v = s[(t + 2) % 6] * x[t];
  __syncthreads();
  s[t] = v * v;
  y[t] = s[t] + v;
}
KERNEL(f)
int main() { return test<6, 6>(1, 6); }
