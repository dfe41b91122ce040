// Values are added to places through an index that is a permutation.
#include <stdio.h>

__global__ void scatter(const int *place, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[place[i]] += x[i];
}

int main() {
  int hp[64], *place;
  float hx[64], hy[64] = {0}, *x, *y;
  for (int i = 0; i < 64; i++) {
    hp[i] = i * 5 % 64;
    hx[i] = i;
  }
  cudaMalloc(&place, sizeof hp);
  cudaMalloc(&x, sizeof hx);
  cudaMalloc(&y, sizeof hy);
  cudaMemcpy(place, hp, sizeof hp, cudaMemcpyHostToDevice);
  cudaMemcpy(x, hx, sizeof hx, cudaMemcpyHostToDevice);
  cudaMemcpy(y, hy, sizeof hy, cudaMemcpyHostToDevice);
  scatter<<<2, 32>>>(place, x, y);
  cudaMemcpy(hy, y, sizeof hy, cudaMemcpyDeviceToHost);
  printf("%g %g\n", hy[5], hy[10]); // adj-prints: 1 2
  cudaFree(place);
  cudaFree(x);
  cudaFree(y);
}
