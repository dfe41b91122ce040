// The loop of a Taylor series for a tool with its own number type: the formula of ../taylor.c.
#include "tool.hpp"

template <typename T>
static T taylor(const T &x, long n) {
  T sum = 0.0;
  for (long i = 1; i <= n; i++) sum += pow(x, (double)i) / (double)i;
  return sum;
}

extern "C" double overloaded_gradient(double at, long n) {
  Recording recording;
  Real x;
  recording.input(x, at);
  Real sum = taylor(x, n);
  double derivative;
  gradient_of(recording, sum, &derivative);
  return derivative;
}
