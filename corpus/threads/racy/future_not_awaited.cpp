// The result of an asynchronous call is left in a variable, which is read before the future is asked.
#include <cstdio>
#include <future>

int main() {
  double sum = 0.0;
  auto done = std::async(std::launch::async, [&] {
    for (int i = 0; i < 10; i++)
      sum += i; //~ race
  });
  bool positive = sum >= 0.0; //~ race
  done.get();
  std::printf("%d\n", positive);
  return 0;
}
