// A barrier in a loop that threads leave after different numbers of rounds.
#include <stdio.h>

__global__ void rounds(int *x) {
  int t = threadIdx.x;
  for (int i = 0; i < 1 + t % 3; i++) {
    x[t] += i;
    __syncthreads(); //~ divergence
  }
}

int main() {
  int h[64], *x;
  for (int i = 0; i < 64; i++) h[i] = i;
  cudaMalloc(&x, sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  rounds<<<1, 32>>>(x);
  cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaFree(x);
}
