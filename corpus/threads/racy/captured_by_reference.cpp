// A lambda captures the sum by reference, and two threads run it.
#include <cstdio>
#include <thread>

int main() {
  int sum = 0;
  auto add = [&sum] {
    for (int i = 0; i < 10; i++)
      sum += i; //~ race
  };
  std::thread first(add), second(add);
  first.join();
  second.join();
  std::printf("%d\n", sum > 0);
}
