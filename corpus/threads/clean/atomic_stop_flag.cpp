// A worker is told to stop through an atomic flag; its result is read behind the join.
#include <atomic>
#include <cstdio>
#include <thread>

static std::atomic<bool> stop;
static long turns;

int main() {
  std::thread worker([] {
    while (!stop.load(std::memory_order_relaxed))
      turns++;
  });
  std::this_thread::yield();
  stop.store(true, std::memory_order_relaxed);
  worker.join();
  std::printf("%d\n", turns >= 0);
}
