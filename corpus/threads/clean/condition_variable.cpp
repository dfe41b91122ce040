// A queue of work between threads: std::mutex, std::condition_variable, std::call_once.
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

class Queue {
  std::mutex lock;
  std::condition_variable changed;
  std::vector<int> items;
  bool closed = false;

public:
  void push(int item) {
    {
      std::lock_guard<std::mutex> guard(lock);
      items.push_back(item);
    }
    changed.notify_one();
  }
  void close() {
    std::lock_guard<std::mutex> guard(lock);
    closed = true;
    changed.notify_all();
  }
  bool pop(int &item) {
    std::unique_lock<std::mutex> hold(lock);
    changed.wait(hold, [this] { return closed || !items.empty(); });
    if (items.empty())
      return false;
    item = items.back();
    items.pop_back();
    return true;
  }
};

static std::once_flag greeted;

int main() {
  Queue queue;
  long sums[2] = {0, 0};
  std::vector<std::thread> workers;
  for (int w = 0; w < 2; w++)
    workers.emplace_back([&queue, &sums, w] {
      std::call_once(greeted, [] { std::puts("begin"); });
      int item;
      while (queue.pop(item))
        sums[w] += item;
    });
  for (int i = 1; i <= 20; i++)
    queue.push(i);
  queue.close();
  for (auto &worker : workers)
    worker.join();
  std::printf("%ld\n", sums[0] + sums[1]);
}
