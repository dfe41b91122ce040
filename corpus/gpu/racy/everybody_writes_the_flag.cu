// Every thread that finds a negative number writes the same flag: the value is the same, and still it is a race.
#include <stdio.h>

__global__ void any_negative(const int *x, int *flag) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (x[i] < 0) *flag = 1; //~ race
}

int main() {
  int h[64], *x, *flag;
  for (int i = 0; i < 64; i++) h[i] = 20 - i;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&flag, sizeof(int));
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemset(flag, 0, sizeof(int));
  any_negative<<<2, 32>>>(x, flag);
  cudaMemcpy(h, flag, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaFree(x);
  cudaFree(flag);
}
