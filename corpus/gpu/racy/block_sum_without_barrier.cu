// The sum of a block by halving in shared memory; the barrier between two steps is missing.
#include <stdio.h>

__global__ void block_sum(const float *x, float *sums) {
  __shared__ float part[64];
  unsigned t = threadIdx.x;
  part[t] = x[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned step = blockDim.x / 2; step > 0; step /= 2) {
    if (t < step) part[t] += part[t + step]; //~ race
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}

int main() {
  float h[128], *x, *sums;
  for (int i = 0; i < 128; i++) h[i] = i;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&sums, 2 * sizeof(float));
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  block_sum<<<2, 64>>>(x, sums);
  cudaMemcpy(h, sums, 2 * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g %g\n", h[0], h[1]);
  cudaFree(x);
  cudaFree(sums);
}
