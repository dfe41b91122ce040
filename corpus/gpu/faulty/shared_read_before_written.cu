// Shared memory is read where nobody has written.
#include <stdio.h>

__global__ void sum(int *x) {
  __shared__ int s[33];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  if (s[t + 1] > 0) x[t] += s[t + 1]; //~ uninitialised
}

int main() {
  int h[64], *x;
  for (int i = 0; i < 64; i++) h[i] = i;
  cudaMalloc(&x, sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  sum<<<1, 32>>>(x);
  cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaFree(x);
}
