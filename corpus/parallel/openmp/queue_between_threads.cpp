// A queue between a thread and its maker, which closes it in the end.
// adj-flags: -pthread -std=c++17
#include "differences.h"
#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>

enum { N = 8 };

class Queue {
public:
  void push(double number) {
    {
      std::lock_guard<std::mutex> guard(lock);
      numbers.push(number);
    }
    told.notify_one();
  }
  void close() {
    {
      std::lock_guard<std::mutex> guard(lock);
      closed = true;
    }
    told.notify_all();
  }
  bool pop(double &number) {
    std::unique_lock<std::mutex> guard(lock);
    told.wait(guard, [&] { return closed || !numbers.empty(); });
    if (numbers.empty())
      return false;
    number = numbers.front();
    numbers.pop();
    return true;
  }

private:
  std::mutex lock;
  std::condition_variable told;
  std::queue<double> numbers;
  bool closed = false;
};

static double f(const double *x, int n) {
  Queue queue;
  double sum = 0;
  std::thread adds([&] {
    double number;
    while (queue.pop(number))
      sum += number * number;
  });
  for (int i = 0; i < n; i++)
    queue.push(std::sin(x[i]));
  queue.close();
  adds.join();
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
