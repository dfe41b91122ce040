// HIP: the sum of a wavefront of 64 lanes by shuffles, and a count by a ballot.
#include <hip/hip_runtime.h>
#include <stdio.h>

__global__ void sum(const float *x, float *total, int *many) {
  float v = x[threadIdx.x];
  unsigned long long large = __ballot(v > 50);
  for (int by = 32; by > 0; by /= 2) v += __shfl_down(v, by);
  if (__lane_id() == 0) {
    *total = v;
    *many = __builtin_popcountll(large);
  }
}

int main() {
  float h[64], *x, *total;
  int count, *many;
  for (int i = 0; i < 64; i++) h[i] = i;
  hipMalloc(&x, sizeof h);
  hipMalloc(&total, sizeof(float));
  hipMalloc(&many, sizeof(int));
  hipMemcpy(x, h, sizeof h, hipMemcpyHostToDevice);
  sum<<<1, 64>>>(x, total, many);
  hipMemcpy(h, total, sizeof(float), hipMemcpyDeviceToHost);
  hipMemcpy(&count, many, sizeof(int), hipMemcpyDeviceToHost);
  printf("%g %d\n", h[0], count); // adj-prints: 2016 13
  hipFree(x);
  hipFree(total);
  hipFree(many);
}
