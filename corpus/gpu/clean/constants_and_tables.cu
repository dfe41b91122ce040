// Coefficients in constant memory, set by the host; a table of the device's own; an array of each thread.
#include <stdio.h>

__constant__ double coefficients[4];
__device__ const int order[4] = {2, 0, 3, 1};

__global__ void polynomial(const double *x, double *y) {
  int i = threadIdx.x;
  double terms[4], power = 1;
  for (int k = 0; k < 4; k++, power *= x[i]) terms[k] = coefficients[k] * power;
  y[i] = 0;
  for (int k = 0; k < 4; k++) y[i] += terms[order[k]];
}

int main() {
  double c[4] = {1, 2, 3, 4}, h[16], *x, *y;
  for (int i = 0; i < 16; i++) h[i] = i;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&y, sizeof h);
  cudaMemcpyToSymbol(coefficients, c, sizeof c);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  polynomial<<<1, 16>>>(x, y);
  cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g %g\n", h[1], h[2]); // adj-prints: 10 49
  cudaFree(x);
  cudaFree(y);
}
