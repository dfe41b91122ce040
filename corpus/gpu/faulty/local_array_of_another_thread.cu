// A thread leaves the address of an array of its own in shared memory; another reads through it.
#include <stdio.h>

__global__ void lend(int *x) {
  __shared__ int *lent;
  int mine[4];
  for (int i = 0; i < 4; i++) mine[i] = x[i] + threadIdx.x;
  if (threadIdx.x == 0) lent = mine;
  __syncthreads();
  x[threadIdx.x] = lent[threadIdx.x % 4]; //~ address-space
  __syncthreads();
}

int main() {
  int h[32] = {1, 2, 3, 4}, *x;
  cudaMalloc(&x, sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  lend<<<1, 32>>>(x);
  cudaFree(x);
}
