// Records with a string and a number, copied, moved, swapped and erased.
#include "adj.h"
#include <cctype>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>
struct Record { std::string key; double weight; };
static double f(const double *x, int n) {
  std::vector<Record> all;
  for (int i = 0; i < n; i++) all.push_back(Record{"k" + std::to_string(i), x[i]});
  double sum = 0;
  for (const Record &r : all) {
    std::string upper = r.key;
    for (char &c : upper) c = (char)std::toupper((unsigned char)c);
    sum += upper == "K1" ? r.weight * r.weight * r.weight : r.weight;
  }
  Record first = all[0], copy;
  copy = first;
  std::swap(all[0], all[2]);
  all.erase(all.begin() + 1);
  for (const Record &r : all) sum += r.weight * r.weight * (double)r.key.size();
  return sum + copy.weight;
}
int main() {
  double x[3] = {1.5, -0.7, 2.25}, dx[3] = {0};
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, 3);
  for (double d : dx) std::printf("%.12g\n", d);
}
