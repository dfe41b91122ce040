// A shuffle for the whole warp stands in a branch that half of it takes; the others wait at a barrier.
#include <stdio.h>

__global__ void half(int *x) {
  int t = threadIdx.x, v = x[t];
  if (t < 16) v += __shfl_xor_sync(0xffffffff, v, 1); //~ deadlock
  __syncthreads(); //~ deadlock
  x[t] = v;
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
