// A block agrees by a counting barrier whether any of its numbers is negative; one thread writes the flag, atomically.
#include <stdio.h>

__global__ void any_negative(const int *x, int *flag) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int found = __syncthreads_count(x[i] < 0);
  if (threadIdx.x == 0 && found) atomicMax(flag, found);
}

int main() {
  int h[64], *x, *flag;
  for (int i = 0; i < 64; i++) h[i] = 20 - i;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&flag, sizeof(int));
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemset(flag, 0, sizeof(int));
  any_negative<<<2, 32>>>(x, flag);
  cudaMemcpy(h, flag, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]); // adj-prints: 32
  cudaFree(x);
  cudaFree(flag);
}
