// A kernel gets the address of an array of the host.
#include <stdio.h>

__global__ void twice(int *x) {
  x[threadIdx.x] *= 2; //~ address-space
}

int main() {
  int h[32];
  for (int i = 0; i < 32; i++) h[i] = i;
  twice<<<1, 32>>>(h);
  printf("%d\n", h[1]);
}
