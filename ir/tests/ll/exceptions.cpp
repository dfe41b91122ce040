#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>
struct Base {
  virtual ~Base() = default;
  virtual double value(double x) const = 0;
};
struct Left : virtual Base {
  double a = 1;
  double value(double x) const override { return a * x; }
};
struct Right : virtual Base {
  double b = 2;
};
struct Both : Left, Right {
  double value(double x) const override { return Left::value(x) + b; }
};
static thread_local int depth = 0;
template <typename T> T power(T x, int n) {
  if (n < 0)
    throw std::invalid_argument("negative " + std::to_string(n));
  ++depth;
  return n == 0 ? T(1) : x * power(x, n - 1);
}
int main() {
  std::map<std::string, std::vector<double>> table;
  table["x"].push_back(power(2.0, 3));
  std::unique_ptr<Base> p(new Both);
  auto f = [&](double x) { return p->value(x) + table["x"].back(); };
  try {
    power(1.0f, -1);
  } catch (const std::invalid_argument &e) {
    return int(f(1.5));
  } catch (...) {
    throw;
  }
  return 0;
}
