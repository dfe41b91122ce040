// The numbers above a bound are collected: places are given out by an atomic counter in shared memory, which is read before all have counted.
#include <stdio.h>

__global__ void collect(const int *x, int *y, int *many) {
  __shared__ int count;
  int t = threadIdx.x;
  if (t == 0) count = 0;
  __syncthreads();
  if (x[t] > 40) y[atomicAdd(&count, 1)] = x[t]; //~ race
  if (t == 0) *many = count; //~ race
}

int main() {
  int h[64], *x, *y, *many;
  for (int i = 0; i < 64; i++) h[i] = i;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&y, sizeof h);
  cudaMalloc(&many, sizeof(int));
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  collect<<<1, 64>>>(x, y, many);
  cudaMemcpy(h, many, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaFree(x);
  cudaFree(y);
  cudaFree(many);
}
