// A stencil over a tile with a halo: the tile is filled before a barrier, read behind it.
#include <stdio.h>

#define N 128
#define B 32

__global__ void blur(const double *x, double *y) {
  __shared__ double tile[B + 2];
  int t = threadIdx.x, i = blockIdx.x * B + t;
  tile[t + 1] = x[i];
  if (t == 0) tile[0] = i > 0 ? x[i - 1] : 0;
  if (t == B - 1) tile[B + 1] = i + 1 < N ? x[i + 1] : 0;
  __syncthreads();
  y[i] = (tile[t] + tile[t + 1] + tile[t + 2]) / 3;
}

int main() {
  double h[N], *x, *y, sum = 0;
  for (int i = 0; i < N; i++) h[i] = i;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&y, sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  blur<<<N / B, B>>>(x, y);
  cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 1; i < N - 1; i++) sum += h[i] == i;
  printf("%g\n", sum); // adj-prints: 126
  cudaFree(x);
  cudaFree(y);
}
