// The sum of a warp by shuffles, without shared memory or barriers; one atomic addition a warp.
#include <stdio.h>

__global__ void sum(const float *x, float *total) {
  float v = x[blockIdx.x * blockDim.x + threadIdx.x];
  for (int by = 16; by > 0; by /= 2) v += __shfl_down_sync(0xffffffff, v, by);
  if (threadIdx.x % 32 == 0) atomicAdd(total, v);
}

int main() {
  float h[256], *x, *total;
  for (int i = 0; i < 256; i++) h[i] = i;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&total, sizeof(float));
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemset(total, 0, sizeof(float));
  sum<<<2, 128>>>(x, total);
  cudaMemcpy(h, total, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", h[0]); // adj-prints: 32640
  cudaFree(x);
  cudaFree(total);
}
