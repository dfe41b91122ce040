// A product of matrices by tiles in shared memory.
#include "gradient.h"
#define T 3
__device__ void f(const double *x, double *y, int n) {
  __shared__ double a[T][T], b[T][T];
  int m = 6, r = blockIdx.y * T + threadIdx.y, c = blockIdx.x * T + threadIdx.x;
  double sum = 0;
  for (int k = 0; k < m / T; k++) {
    a[threadIdx.y][threadIdx.x] = x[r * m + k * T + threadIdx.x];
    b[threadIdx.y][threadIdx.x] = x[36 + (k * T + threadIdx.y) * m + c];
    __syncthreads();
    for (int j = 0; j < T; j++) sum += a[threadIdx.y][j] * b[j][threadIdx.x];
    __syncthreads();
  }
  y[r * m + c] = sum * sum;
}
KERNEL(f)
int main() { return test<72, 36>(dim3(2, 2), dim3(T, T)); }
