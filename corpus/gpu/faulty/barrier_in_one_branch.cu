// A barrier stands in a branch that half of the block takes.
#include <stdio.h>

__global__ void half(int *x) {
  int t = threadIdx.x;
  if (t < 16) {
    x[t] *= 2;
    __syncthreads(); //~ divergence
  }
  x[t] += 1;
}

int main() {
  int h[64], *x;
  for (int i = 0; i < 64; i++) h[i] = i;
  cudaMalloc(&x, sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  half<<<1, 32>>>(x);
  cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaFree(x);
}
