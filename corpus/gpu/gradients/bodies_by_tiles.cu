// The potential of bodies, whose coordinates blocks load by tiles.
#include "gradient.h"
__device__ void f(const double *x, double *y, int n) {
  __shared__ double tile[4][3];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double p[3] = {x[3 * i], x[3 * i + 1], x[3 * i + 2]}, e = 0;
  for (int t = 0; t < gridDim.x; t++) {
    for (int k = 0; k < 3; k++) tile[threadIdx.x][k] = x[3 * (t * blockDim.x + threadIdx.x) + k];
    __syncthreads();
    for (int j = 0; j < blockDim.x; j++) {
      double r2 = 0.01;
      for (int k = 0; k < 3; k++) { double d = p[k] - tile[j][k]; r2 += d * d; }
      e += rsqrt(r2);
    }
    __syncthreads();
  }
  y[i] = e;
}
KERNEL(f)
int main() { return test<24, 8>(2, 4); }
