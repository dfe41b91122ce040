// Each thread sums into a variable of its own and adds it to an atomic total.
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

int main() {
  std::atomic<int> total{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; t++)
    threads.emplace_back([t, &total] {
      int sum = 0;
      for (int i = 0; i < 10; i++)
        sum += i * t;
      total += sum;
    });
  for (auto &thread : threads)
    thread.join();
  std::printf("%d\n", total.load());
}
