// Two arrays in shared memory whose size the launch says: the second begins inside the first.
#include <stdio.h>

extern __shared__ char memory[];

__global__ void pairs(const int *x, int *y, int n) {
  int *first = (int *)memory, *second = (int *)(memory + n); // n ints, not n bytes
  int t = threadIdx.x;
  first[t] = x[t]; //~ race
  second[t] = 2 * x[t]; //~ race
  __syncthreads();
  y[t] = first[t] + second[t];
}

int main() {
  int h[32], *x, *y;
  for (int i = 0; i < 32; i++) h[i] = i;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&y, sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  pairs<<<1, 32, 64 * sizeof(int)>>>(x, y, 32);
  cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[3]);
  cudaFree(x);
  cudaFree(y);
}
