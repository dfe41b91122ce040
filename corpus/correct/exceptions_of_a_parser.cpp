// An evaluator of expressions that throws on errors; a table of variables.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <map>
#include <vector>
#include <string>
struct Parser {
  const char *at; const std::map<char, double> &vars;
  double factor() {
    if (*at == '(') { at++; double v = sum(); if (*at != ')') throw std::runtime_error("missing )"); at++; return v; }
    if (*at >= '0' && *at <= '9') return *at++ - '0';
    auto it = vars.find(*at++);
    if (it == vars.end()) throw std::out_of_range("unknown variable");
    return it->second;
  }
  double product() { double v = factor(); while (*at == '*' || *at == '/') { char op = *at++; double w = factor(); if (op == '/' && w == 0.0) throw std::domain_error("division by zero"); v = op == '*' ? v * w : v / w; } return v; }
  double sum() { double v = product(); while (*at == '+' || *at == '-') { char op = *at++; double w = product(); v = op == '+' ? v + w : v - w; } return v; }
};
static double value(const char *text, const double *x) {
  std::map<char, double> vars{{'x', x[0]}, {'y', x[1]}, {'z', x[2]}};
  Parser p{text, vars};
  try { return p.sum(); }
  catch (const std::domain_error &) { return x[0] * x[0]; }
  catch (const std::logic_error &) { return x[1] * x[1]; }
  catch (const std::exception &) { return x[2] * x[2]; }
}
static double f(const double *x) {
  const char *texts[] = {"x*y+z", "(x+y)*(x-z)/3", "x*w", "(x+y", "x/(y-y)", "2*x*x*z"};
  double s = 0;
  for (const char *t : texts) s = s * 0.5 + value(t, x);
  return s;
}
int main() {
  double x[3] = {1.5, 2.0, 0.5}, dx[3] = {0};
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx);
  for (double d : dx) std::printf("%.12g\n", d);
}
