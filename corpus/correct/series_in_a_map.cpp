// Nodes whose links stand in a base class, and whose data in the class that inherits from it: a map of vectors, a map
// of maps, and a list by hand. A pointer to the base leads to one node, and the data behind its
// links are not those of another base.
#include "adj.h"
#include <cmath>
#include <map>
#include <vector>

enum { N = 9 };

struct Link {
  Link *next = nullptr, *last = nullptr;
};

struct Series : Link {
  std::vector<double> values;
  double weight = 0;
};

static double grouped(const double *x, int n) {
  std::map<int, std::vector<double>> groups;
  for (int i = 0; i < n; i++) groups[i * i % 5].push_back(x[i] * x[i]);
  double s = 0;
  for (const auto &[key, values] : groups) {
    double sum = 0;
    for (double v : values) sum += v;
    s += (key + 1) * std::sqrt(1 + sum);
  }
  return s;
}

static double nested(const double *x, int n) {
  std::map<int, std::map<int, double>> table;
  for (int i = 0; i < n; i++) table[i % 3][i / 3] += x[i] * x[(i + 1) % n];
  double s = 0;
  for (auto &[row, cells] : table)
    for (auto &[column, value] : cells) s += (row + 2 * column + 1) * std::sin(value);
  return s;
}

static void append(Link *to, Link *node) {
  if (to->last)
    to->last->next = node;
  else
    to->next = node;
  to->last = node;
}

static double by_hand(const double *x, int n) {
  Link head;
  for (int i = 0; i < n; i += 3) {
    Series *series = new Series;
    for (int k = i; k < i + 3 && k < n; k++) series->values.push_back(x[k]);
    series->weight = x[i] * 0.25;
    append(&head, series);
  }
  double s = 0;
  while (Link *node = head.next) {
    Series *series = static_cast<Series *>(node);
    for (double v : series->values) s += series->weight * v * v * v;
    head.next = node->next;
    delete series;
  }
  return s;
}

int main() {
  double x[N], d[3][N] = {{0}};
  for (int i = 0; i < N; i++) x[i] = 0.3 * i + 0.1;
  __enzyme_autodiff<void>((void *)grouped, enzyme_dup, x, d[0], enzyme_const, (int)N);
  __enzyme_autodiff<void>((void *)nested, enzyme_dup, x, d[1], enzyme_const, (int)N);
  __enzyme_autodiff<void>((void *)by_hand, enzyme_dup, x, d[2], enzyme_const, (int)N);
  for (auto &row : d)
    for (double v : row)
      if (!(std::fabs(v) < 1e3) || v == 0) return 1;
  return 0;
}
