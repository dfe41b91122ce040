// A lock in global memory around a plain counter: the lock is relaxed, and no fence follows or precedes it.
#include <stdio.h>

__device__ int lock, counter;

__global__ void count() {
  if (threadIdx.x != 0) return;
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  counter++; //~ race
  atomicExch(&lock, 0);
}

int main() {
  int h;
  count<<<6, 8>>>();
  cudaMemcpyFromSymbol(&h, counter, sizeof h);
  printf("%d\n", h);
}
