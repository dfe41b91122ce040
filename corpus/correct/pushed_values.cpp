// Values pushed at the end of a vector, reading those that were pushed before while the memory moves; some are popped again, and the
// vector is emptied and filled anew within its capacity.
#include "adj.h"
#include <cstdio>
#include <utility>
#include <vector>

struct Sample {
  double value;
  int age;
  double weight;
};

static double series(const double *x, int n) {
  std::vector<double> terms;
  terms.push_back(1.0);
  for (int i = 0; i < n; i++) {
    terms.push_back(terms.back() * x[i] + terms[i / 2]);
    if (i % 3 == 2)
      terms.push_back(x[i] * terms[terms.size() - 2]);
  }
  double last = terms.back();
  terms.pop_back();
  double sum = last;
  for (double t : terms)
    sum += t * t;
  terms.clear();
  std::vector<Sample> samples;
  for (int i = 0; i < n; i++) {
    terms.push_back(x[n - 1 - i] * sum);
    samples.push_back(Sample{terms[i] * x[i], i, 0.5 * x[i]});
    if (samples.size() > 4)
      samples.erase(samples.begin());
  }
  samples.insert(samples.begin() + 1, Sample{sum, -1, x[0]});
  for (const Sample &s : samples)
    sum += s.value * s.weight / (s.age + 2);
  return sum;
}

int main() {
  double x[7] = {0.4, -0.3, 0.7, 0.2, 0.9, -0.5, 0.6}, dx[7] = {0};
  __enzyme_autodiff<void>((void *)series, enzyme_dup, x, dx, enzyme_const, 7);
  for (double d : dx)
    std::printf("%.15g\n", d);
  return 0;
}
