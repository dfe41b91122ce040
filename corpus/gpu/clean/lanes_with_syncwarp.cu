// Lanes of a warp pass values through shared memory, with __syncwarp between the steps.
#include <stdio.h>

__global__ void rotate(const int *x, int *y) {
  __shared__ int s[64];
  int t = threadIdx.x, warp = t / 32 * 32;
  s[t] = x[t];
  __syncwarp();
  y[t] = s[warp + (t + 1) % 32];
}

int main() {
  int h[64], *x, *y;
  for (int i = 0; i < 64; i++) h[i] = i;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&y, sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  rotate<<<1, 64>>>(x, y);
  cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %d %d\n", h[0], h[31], h[32]); // adj-prints: 1 0 33
  cudaFree(x);
  cudaFree(y);
}
