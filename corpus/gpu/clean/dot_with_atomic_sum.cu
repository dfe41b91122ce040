// A dot product: each thread adds its share to one number in global memory by an atomic addition in double.
#include <stdio.h>

__global__ void dot(const double *x, const double *y, int n, double *result) {
  double part = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) part += x[i] * y[i];
  atomicAdd(result, part);
}

int main() {
  double h[100], *x, *r;
  for (int i = 0; i < 100; i++) h[i] = i;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&r, sizeof(double));
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemset(r, 0, sizeof(double));
  dot<<<2, 16>>>(x, x, 100, r);
  cudaMemcpy(h, r, sizeof(double), cudaMemcpyDeviceToHost);
  printf("%g\n", h[0]); // adj-prints: 328350
  cudaFree(x);
  cudaFree(r);
}
