// The first block leaves a value for the second one and raises a flag that is atomic but orders nothing.
#include <stdio.h>

__global__ void pass(int *value, int *flag, int *out) {
  if (blockIdx.x == 0) {
    *value = 42; //~ race
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
    *out = *value; //~ race
  }
}

int main() {
  int zero = 0, h = 0, *value, *flag, *out;
  cudaMalloc(&value, sizeof h);
  cudaMalloc(&flag, sizeof h);
  cudaMalloc(&out, sizeof h);
  cudaMemcpy(flag, &zero, sizeof zero, cudaMemcpyHostToDevice);
  pass<<<2, 1>>>(value, flag, out);
  cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h);
  cudaFree(value);
  cudaFree(flag);
  cudaFree(out);
}
