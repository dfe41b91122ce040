// Shared memory whose size the launch says, divided into two arrays.
#include <stdio.h>

extern __shared__ char memory[];

__global__ void mirror(const double *x, double *y, int n) {
  double *values = (double *)memory;
  int *order = (int *)(values + n);
  int t = threadIdx.x;
  values[t] = x[t];
  order[t] = n - 1 - t;
  __syncthreads();
  y[t] = values[order[n - 1 - (n - 1 - t)]];
}

int main() {
  double h[32], *x, *y;
  for (int i = 0; i < 32; i++) h[i] = i;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&y, sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  mirror<<<1, 32, 32 * (sizeof(double) + sizeof(int))>>>(x, y, 32);
  cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g %g\n", h[0], h[31]); // adj-prints: 31 0
  cudaFree(x);
  cudaFree(y);
}
