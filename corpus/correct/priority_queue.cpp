// std::priority_queue and std::stack: shortest paths by Dijkstra's algorithm; the derivative is that of the edges on the path.
#include "adj.h"
#include <cstdio>
#include <functional>
#include <queue>
#include <stack>
#include <utility>
#include <vector>

using Entry = std::pair<double, int>;

static double shortest(const double *w, int n) {
  std::vector<double> dist(n, 1e9);
  std::vector<int> from(n, -1);
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> queue;
  dist[0] = 0.0;
  queue.push({0.0, 0});
  while (!queue.empty()) {
    Entry top = queue.top();
    queue.pop();
    int u = top.second;
    if (top.first > dist[u])
      continue;
    for (int v = 0; v < n; v++) {
      double length = w[u * n + v] * w[u * n + v];
      if (v != u && dist[u] + length < dist[v]) {
        dist[v] = dist[u] + length;
        from[v] = u;
        queue.push({dist[v], v});
      }
    }
  }
  std::stack<int> path;
  for (int v = n - 1; v != -1; v = from[v])
    path.push(v);
  double sum = dist[n - 1];
  while (!path.empty()) {
    sum += 0.1 * dist[path.top()] * dist[path.top()];
    path.pop();
  }
  return sum;
}

int main() {
  const int n = 5;
  double w[n * n], dw[n * n] = {0};
  for (int i = 0; i < n * n; i++)
    w[i] = 0.3 + 0.17 * ((i * 13) % 11);
  __enzyme_autodiff<double>((void *)shortest, enzyme_dup, w, dw, enzyme_const, n);
  for (double d : dw)
    std::printf("%.17g\n", d);
  return 0;
}
