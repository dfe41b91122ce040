// Fast Fourier transform, filter and back for a tool with its own number type: the formulas of ../fft.c.
#include "tool.hpp"

template <typename T>
static void fft(T *x, long n, double sign) {
  for (long i = 1, j = 0; i < n; i++) {
    long bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      T re = x[2 * i], im = x[2 * i + 1];
      x[2 * i] = x[2 * j];
      x[2 * i + 1] = x[2 * j + 1];
      x[2 * j] = re;
      x[2 * j + 1] = im;
    }
  }
  for (long length = 2; length <= n; length <<= 1) {
    double angle = sign * 6.283185307179586476925 / (double)length;
    double step_re = -2.0 * std::sin(0.5 * angle) * std::sin(0.5 * angle), step_im = std::sin(angle);
    double w_re = 1.0, w_im = 0.0;
    long half = length >> 1;
    for (long k = 0; k < half; k++) {
      for (long i = k; i < n; i += length) {
        long j = i + half;
        T re = w_re * x[2 * j] - w_im * x[2 * j + 1];
        T im = w_re * x[2 * j + 1] + w_im * x[2 * j];
        x[2 * j] = x[2 * i] - re;
        x[2 * j + 1] = x[2 * i + 1] - im;
        x[2 * i] += re;
        x[2 * i + 1] += im;
      }
      double old = w_re;
      w_re += w_re * step_re - w_im * step_im;
      w_im += w_im * step_re + old * step_im;
    }
  }
}

// The transpose of the Jacobian times `seed`.
extern "C" void overloaded_gradient(const double *input, long n, const double *seed, double *gradient) {
  Recording recording;
  std::vector<Real> start(2 * n), x(2 * n);
  for (long i = 0; i < 2 * n; i++) recording.input(start[i], input[i]);
  for (long i = 0; i < 2 * n; i++) x[i] = start[i];
  fft(x.data(), n, -1.0);
  for (long i = 0; i < n; i++) {
    double weight = 1.0 / (double)(n + i);
    x[2 * i] *= weight;
    x[2 * i + 1] *= weight;
  }
  fft(x.data(), n, 1.0);
  for (Real &y : x) recording.output(y);
  recording.reverse(1, &seed, &gradient);
}
