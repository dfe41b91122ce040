// Two threads take what is to be done from a queue: `std::function`, packaged tasks, a condition.
// adj-flags: -pthread -std=c++17
// adj-levels: O1,O2,O3
#include "differences.h"
#include <functional>
#include <future>
#include <thread>
#include <vector>
#include <queue>
#include <mutex>
#include <condition_variable>
#include <memory>
#include <cmath>

enum { N = 8 };

class Pool {
public:
  explicit Pool(int n) {
    for (int i = 0; i < n; i++)
      workers.emplace_back([this] { run(); });
  }
  ~Pool() {
    {
      std::lock_guard<std::mutex> g(m);
      stop = true;
    }
    cv.notify_all();
    for (auto &t : workers)
      t.join();
  }
  std::future<double> submit(std::function<double()> fn) {
    auto task = std::make_shared<std::packaged_task<double()>>(std::move(fn));
    auto fut = task->get_future();
    {
      std::lock_guard<std::mutex> g(m);
      q.push([task] { (*task)(); });
    }
    cv.notify_one();
    return fut;
  }

private:
  void run() {
    for (;;) {
      std::function<void()> job;
      {
        std::unique_lock<std::mutex> l(m);
        cv.wait(l, [this] { return stop || !q.empty(); });
        if (stop && q.empty())
          return;
        job = std::move(q.front());
        q.pop();
      }
      job();
    }
  }
  std::vector<std::thread> workers;
  std::queue<std::function<void()>> q;
  std::mutex m;
  std::condition_variable cv;
  bool stop = false;
};
static double f(const double *x, int n) {
  Pool pool(2);
  std::vector<std::future<double>> r;
  for (int i = 0; i < n; i += 2)
    r.push_back(pool.submit([=] { return std::sin(x[i]) * x[i + 1]; }));
  double s = 0;
  for (auto &g : r)
    s += g.get();
  return s;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
