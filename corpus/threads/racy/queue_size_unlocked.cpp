// A queue with a lock and a condition; its size is looked at without the lock.
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

struct queue {
  std::mutex lock;
  std::condition_variable filled;
  int items[16];
  int size = 0;

  void push(int item) {
    std::lock_guard<std::mutex> guard(lock);
    items[size] = item;
    size++; //~ race
    filled.notify_one();
  }
  bool idle() const {
    return size == 0; //~ race
  }
  int pop() {
    std::unique_lock<std::mutex> guard(lock);
    while (size == 0)
      filled.wait(guard);
    return items[--size]; //~ race
  }
};

int main() {
  queue jobs;
  int sum = 0, idle = 0;
  std::thread producer([&] {
    for (int i = 1; i <= 8; i++)
      jobs.push(i);
  });
  for (int i = 1; i <= 8; i++) {
    idle += jobs.idle();
    sum += jobs.pop();
  }
  producer.join();
  std::printf("%d %d\n", sum, idle);
}
