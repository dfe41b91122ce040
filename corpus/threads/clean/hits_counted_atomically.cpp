// A cache counts its hits atomically while it is only locked for reading.
#include <atomic>
#include <cstdio>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex lock;
static std::map<int, int> squares;
static std::atomic<int> calls;

static int square(int n) {
  calls.fetch_add(1, std::memory_order_relaxed);
  {
    std::shared_lock<std::shared_mutex> reading(lock);
    auto found = squares.find(n);
    if (found != squares.end())
      return found->second;
  }
  std::unique_lock<std::shared_mutex> writing(lock);
  return squares[n] = n * n;
}

static void work() {
  for (int i = 0; i < 12; i++)
    square(i % 3);
}

int main() {
  std::thread first(work), second(work);
  first.join();
  second.join();
  std::printf("%d %d\n", calls.load(), squares.at(2));
}
