// std::deque used at both ends, std::list with insertions, splices and erasures, std::forward_list.
#include "adj.h"
#include <cstdio>
#include <deque>
#include <forward_list>
#include <list>

static double run(const double *p, int n) {
  std::deque<double> window;
  double sum = 0.0;
  for (int i = 0; i < 8; i++) {
    window.push_back(p[i % n] * (i + 1));
    if (i % 3 == 0)
      window.push_front(p[(i + 1) % n] * 0.5);
    if (window.size() > 4)
      window.pop_front();
    for (double v : window)
      sum += v * v;
  }
  std::list<double> chain(p, p + n), tail;
  tail.push_back(sum * 0.01);
  chain.insert(++chain.begin(), p[0] * p[1]);
  chain.splice(chain.end(), tail);
  chain.erase(chain.begin());
  chain.reverse();
  double weight = 1.0;
  for (double v : chain)
    sum += v * v * (weight += 1.0);
  std::forward_list<double> stack;
  for (int i = 0; i < n; i++)
    stack.push_front(p[i] * p[i]);
  stack.pop_front();
  for (double v : stack)
    sum = sum * 0.5 + v;
  return sum;
}

int main() {
  double p[3] = {0.8, 1.2, 0.4}, dp[3] = {0};
  __enzyme_autodiff<double>((void *)run, enzyme_dup, p, dp, enzyme_const, 3);
  for (double d : dp)
    std::printf("%.17g\n", d);
  return 0;
}
