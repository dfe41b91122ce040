// Records with a name and a weight, filled inside.
#include "adj.h"
#include <cstdio>
#include <string>
#include <vector>
struct Item {
  std::string name;
  double w;
  int count;
};
static double f(const double *x, int n) {
  std::vector<Item> items;
  for (int i = 0; i < n; i++)
    items.push_back({"item" + std::to_string(i), x[i] * x[i], i});
  double s = 0;
  for (const Item &it : items)
    if (it.name != "item1")
      s += it.w * (it.count + 1);
  return s;
}
int main() {
  double x[3] = {0.7, 1.3, 0.2}, dx[3] = {0};
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, 3);
  for (double d : dx) std::printf("%.12g\n", d);
}
