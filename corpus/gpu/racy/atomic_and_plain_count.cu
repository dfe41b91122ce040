// Threads count atomically; one of them resets the count with a plain store meanwhile.
#include <stdio.h>

__global__ void count(const int *x, int *n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) *n = 0; //~ race
  if (x[i] % 3 == 0) atomicAdd(n, 1); //~ race
}

int main() {
  int h[64], m = 0, *x, *n;
  for (int i = 0; i < 64; i++) h[i] = i;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&n, sizeof m);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  count<<<2, 32>>>(x, n);
  cudaMemcpy(&m, n, sizeof m, cudaMemcpyDeviceToHost);
  printf("%d\n", m > 0);
  cudaFree(x);
  cudaFree(n);
}
