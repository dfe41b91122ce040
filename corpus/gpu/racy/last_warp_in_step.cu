// A reduction whose last steps are left to one warp, as if its lanes ran in step.
#include <stdio.h>

__global__ void sum(const float *x, float *result) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  if (t < 32) {
    for (int by = 32; by > 0; by /= 2) {
      float other = s[t + by]; //~ race
      if (t < by) s[t] += other; //~ race
    }
  }
  if (t == 0) *result = s[0];
}

int main() {
  float h[64], *x, *result;
  for (int i = 0; i < 64; i++) h[i] = i;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&result, sizeof(float));
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  sum<<<1, 64>>>(x, result);
  cudaMemcpy(h, result, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", h[0]);
  cudaFree(x);
  cudaFree(result);
}
