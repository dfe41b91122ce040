// Values are added to bins through an index in which bins come twice.
#include <stdio.h>

__global__ void scatter(const int *place, const float *x, float *bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bins[place[i]] += x[i]; //~ race
}

int main() {
  int hp[64], *place;
  float hx[64], hb[48] = {0}, *x, *bins;
  for (int i = 0; i < 64; i++) {
    hp[i] = i * 5 % 48;
    hx[i] = i;
  }
  cudaMalloc(&place, sizeof hp);
  cudaMalloc(&x, sizeof hx);
  cudaMalloc(&bins, sizeof hb);
  cudaMemcpy(place, hp, sizeof hp, cudaMemcpyHostToDevice);
  cudaMemcpy(x, hx, sizeof hx, cudaMemcpyHostToDevice);
  cudaMemcpy(bins, hb, sizeof hb, cudaMemcpyHostToDevice);
  scatter<<<2, 32>>>(place, x, bins);
  cudaMemcpy(hb, bins, sizeof hb, cudaMemcpyDeviceToHost);
  printf("%g\n", hb[0]);
  cudaFree(place);
  cudaFree(x);
  cudaFree(bins);
}
