// The sum of each block by halving in shared memory, with a barrier between the steps.
#include <stdio.h>

__global__ void block_sum(const float *x, float *sums) {
  __shared__ float part[64];
  unsigned t = threadIdx.x;
  part[t] = x[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned step = blockDim.x / 2; step > 0; step /= 2) {
    if (t < step) part[t] += part[t + step];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}

int main() {
  float h[256], *x, *sums;
  for (int i = 0; i < 256; i++) h[i] = i % 7;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&sums, 4 * sizeof(float));
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  block_sum<<<4, 64>>>(x, sums);
  cudaMemcpy(h, sums, 4 * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g %g %g %g\n", h[0], h[1], h[2], h[3]); // adj-prints: 189 190 191 192
  cudaFree(x);
  cudaFree(sums);
}
