// A queue with a lock and a condition, whose end is told under the lock too.
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <mutex>
#include <thread>

class queue {
  std::mutex lock;
  std::condition_variable changed;
  std::deque<int> items;
  bool closed = false;

public:
  void push(int item) {
    std::lock_guard<std::mutex> guard(lock);
    items.push_back(item);
    changed.notify_one();
  }
  void close() {
    std::lock_guard<std::mutex> guard(lock);
    closed = true;
    changed.notify_all();
  }
  bool pop(int &item) {
    std::unique_lock<std::mutex> guard(lock);
    changed.wait(guard, [this] { return closed || !items.empty(); });
    if (items.empty())
      return false;
    item = items.front();
    items.pop_front();
    return true;
  }
};

int main() {
  queue jobs;
  int sums[2] = {0, 0};
  auto consume = [&jobs](int *sum) {
    for (int item; jobs.pop(item);)
      *sum += item;
  };
  std::thread first(consume, &sums[0]), second(consume, &sums[1]);
  for (int i = 1; i <= 10; i++)
    jobs.push(i);
  jobs.close();
  first.join();
  second.join();
  std::printf("%d\n", sums[0] + sums[1]);
}
