// Forward mode: tangents of shared memory behind a barrier.
#include <cuda_runtime.h>
#include <math.h>
__device__ int enzyme_dup, enzyme_const;
template <class... T> extern __device__ void __enzyme_fwddiff(void *, T...);

__device__ void f(const double *x, double *y, int n) {
  __shared__ double s[4];
  int t = threadIdx.x;
  s[t] = x[t] * x[t];
  __syncthreads();
  y[t] = s[(t + 1) % 4] * s[t];
}

__global__ void tangent(const double *x, const double *dx, double *y, double *dy, int n) {
  __enzyme_fwddiff((void *)f, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, n);
}

int main() {
  const double right[4] = {12, 60, 168, 40};
  double *x, *dx, *y, *dy;
  cudaMallocManaged(&x, sizeof right);
  cudaMallocManaged(&dx, sizeof right);
  cudaMallocManaged(&y, sizeof right);
  cudaMallocManaged(&dy, sizeof right);
  for (int i = 0; i < 4; i++)
    x[i] = 1 + i, dx[i] = 1, y[i] = dy[i] = 0;
  tangent<<<1, 4>>>(x, dx, y, dy, 4);
  int bad = 0;
  for (int i = 0; i < 4; i++)
    bad |= fabs(dy[i] - right[i]) > 1e-12;
  cudaFree(x);
  cudaFree(dx);
  cudaFree(y);
  cudaFree(dy);
  return bad;
}
