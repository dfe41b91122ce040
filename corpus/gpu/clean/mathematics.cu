// Mathematical functions on the device, in double and in float, and a function for both sides.
#include <math.h>
#include <stdio.h>

__host__ __device__ inline double square(double x) { return x * x; }

__global__ void norms(const double *x, const float *y, double *out) {
  int i = threadIdx.x;
  out[i] = sqrt(square(x[i]) + square(sin(x[i]))) + (double)expf(-y[i]) + pow(x[i], 1.5);
}

int main() {
  double h[8], *x, *out;
  float f[8], *y;
  for (int i = 0; i < 8; i++) {
    h[i] = i + 0.5;
    f[i] = i * 0.25f;
  }
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&y, sizeof f);
  cudaMalloc(&out, sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpy(y, f, sizeof f, cudaMemcpyHostToDevice);
  norms<<<1, 8>>>(x, y, out);
  double r[8], worst = 0;
  cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 8; i++) {
    double here = sqrt(square(h[i]) + square(sin(h[i]))) + (double)expf(-f[i]) + pow(h[i], 1.5);
    worst = fmax(worst, fabs(here - r[i]));
  }
  printf("%d\n", worst < 1e-12); // adj-prints: 1
  cudaFree(x);
  cudaFree(y);
  cudaFree(out);
}
