// Sums of squares of a block by a tree in shared memory.
#include "gradient.h"
__device__ void f(const double *x, double *y, int n) {
  __shared__ double part[8];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  part[t] = i < n ? x[i] * x[i] : 0;
  __syncthreads();
  for (int step = blockDim.x / 2; step > 0; step /= 2) {
    if (t < step) part[t] += part[t + step] * (1 + 0.1 * t);
    __syncthreads();
  }
  if (t == 0) y[blockIdx.x] = part[0] * part[0];
}
KERNEL(f)
int main() { return test<14, 2>(2, 8); }
