// Ballots, votes and matches of a warp.
#include <stdio.h>

__global__ void votes(const int *x, unsigned *out) {
  int t = threadIdx.x, v = x[t];
  unsigned odd = __ballot_sync(0xffffffff, v & 1);
  int any = __any_sync(0xffffffff, v > 30), all = __all_sync(0xffffffff, v >= 0);
  unsigned same = __match_any_sync(0xffffffff, v / 16);
  int most = __reduce_max_sync(0xffffffff, v);
  if (t == 0) {
    out[0] = odd;
    out[1] = any * 2 + all;
    out[2] = same;
    out[3] = most;
  }
}

int main() {
  int h[32], *x;
  unsigned result[4], *out;
  for (int i = 0; i < 32; i++) h[i] = i;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&out, sizeof result);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  votes<<<1, 32>>>(x, out);
  cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
  printf("%x %u %x %u\n", result[0], result[1], result[2], result[3]); // adj-prints: aaaaaaaa 3 ffff 31
  cudaFree(x);
  cudaFree(out);
}
