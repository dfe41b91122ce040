// A barrier between stores of one thread and of another.
#include "gradient.h"
__device__ void f(const double *x, double *y, int n) {
  __shared__ double s[6];
  int t = threadIdx.x;
  s[t] = x[t] * 3;
  __syncthreads();
  if (t < 3) s[t + 3] = x[t] * x[t + 1];
  __syncthreads();
  y[t] = s[t] * x[5 - t];
}
KERNEL(f)
int main() { return test<6, 6>(1, 6); }
