// Strings that are short enough for themselves and others on the heap, in a list beside numbers.
#include "adj.h"
#include <algorithm>
#include <cstdio>
#include <list>
#include <string>
struct Segment { std::string letters; double length; };
static double f(const double *x, int n) {
  std::list<Segment> segments;
  for (int i = 0; i < n; i++) {
    segments.push_back(Segment{std::string(5 + 20 * i, char('A' + i)), x[i]});
    segments.back().letters += i % 2 ? "B" : "and B";
  }
  double sum = 0;
  for (const Segment &s : segments) {
    double found = (double)std::count(s.letters.begin(), s.letters.end(), 'B');
    sum += s.length * s.length * found + s.length * (double)s.letters.size();
  }
  return sum;
}
int main() {
  double x[3] = {1.5, -0.7, 2.25}, dx[3] = {0};
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, 3);
  for (double d : dx) std::printf("%.12g\n", d);
}
