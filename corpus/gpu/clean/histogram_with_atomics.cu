// A histogram in global memory by atomic additions; the last block is larger than what is left.
#include <stdio.h>

__global__ void histogram(const unsigned char *text, int n, int *bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[text[i] & 3], 1);
}

int main() {
  unsigned char text[200], *d;
  int bins[4] = {0, 0, 0, 0}, *b;
  for (int i = 0; i < 200; i++) text[i] = i * i;
  cudaMalloc(&d, sizeof text);
  cudaMalloc(&b, sizeof bins);
  cudaMemcpy(d, text, sizeof text, cudaMemcpyHostToDevice);
  cudaMemset(b, 0, sizeof bins);
  histogram<<<4, 64>>>(d, 200, b);
  cudaMemcpy(bins, b, sizeof bins, cudaMemcpyDeviceToHost);
  printf("%d %d %d %d\n", bins[0], bins[1], bins[2], bins[3]); // adj-prints: 100 100 0 0
  cudaFree(d);
  cudaFree(b);
}
