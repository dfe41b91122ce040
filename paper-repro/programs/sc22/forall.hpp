// Loops whose bodies are closures, in the manner of RAJA (Beckingsale et al., "RAJA: Portable performance for
// large-scale scientific applications", 2019): a policy says how a loop is run.
#pragma once
#include <algorithm>

struct Serial {};
struct Threads {};

struct Range {
  int begin, end;
};

template <typename Body> void run(Serial, Range range, Body &&body) {
  for (int i = range.begin; i < range.end; i++) body(i);
}

template <typename Body> void run(Threads, Range range, Body &&body) {
#pragma omp parallel for
  for (int i = range.begin; i < range.end; i++) body(i);
}

template <typename Policy, typename Body> void forall(Range range, Body &&body) { run(Policy(), range, body); }

// The least of what the body gives, and `value`.
template <typename Policy, typename Body> double forall_min(Range range, double value, Body &&body) {
  double least = value;
#pragma omp parallel for reduction(min : least)
  for (int i = range.begin; i < range.end; i++) least = std::min(least, body(i));
  return least;
}

template <typename Policy, typename Body> double forall_sum(Range range, Body &&body) {
  double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = range.begin; i < range.end; i++) sum += body(i);
  return sum;
}
