// 4096 threads at a time: a reduction of each block, and an atomic maximum over all.
#include <stdio.h>

__global__ void largest(const int *x, int *most) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * 256 + t];
  __syncthreads();
  for (int step = 128; step > 0; step /= 2) {
    if (t < step) s[t] = s[t] > s[t + step] ? s[t] : s[t + step];
    __syncthreads();
  }
  if (t == 0) atomicMax(most, s[0]);
}

int main() {
  static int h[4096];
  int *x, *most;
  for (int i = 0; i < 4096; i++) h[i] = i * 37 % 4096;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&most, sizeof(int));
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemset(most, 0, sizeof(int));
  largest<<<16, 256>>>(x, most);
  cudaMemcpy(h, most, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]); // adj-prints: 4095
  cudaFree(x);
  cudaFree(most);
}
