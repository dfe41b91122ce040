// The last block is larger than what is left, and nobody asks.
#include <stdio.h>

__global__ void twice(int *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] *= 2; //~ out-of-bounds
}

int main() {
  int h[64], *x;
  for (int i = 0; i < 64; i++) h[i] = i;
  cudaMalloc(&x, sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  twice<<<5, 13>>>(x); // 65 threads
  cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaFree(x);
}
