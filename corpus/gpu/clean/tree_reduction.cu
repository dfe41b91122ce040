// A tree of sums with a barrier after every step, the last one too.
#include <stdio.h>

__global__ void normalise(float *x) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  x[t] = x[t] / s[0];
}

int main() {
  float h[64], *x;
  for (int i = 0; i < 64; i++) h[i] = 1 + i % 2 * 2;
  cudaMalloc(&x, sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  normalise<<<1, 64>>>(x);
  cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g %g\n", h[0] * 128, h[1] * 128); // adj-prints: 1 3
  cudaFree(x);
}
