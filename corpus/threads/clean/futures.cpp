// Futures: asynchronous calls, a promise, a deferred call, a packaged task that throws, a start signal for several, a promise that is broken.
#include <cstdio>
#include <future>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

static double part(const std::vector<double> &v, size_t from, size_t to) {
  double sum = 0.0;
  for (size_t i = from; i < to; i++)
    sum += v[i] * v[i];
  return sum;
}

int main() {
  std::vector<double> v(100);
  std::iota(v.begin(), v.end(), 1.0);
  auto low = std::async(std::launch::async, part, std::cref(v), 0, 50);
  auto high = std::async(std::launch::async, [&] { return part(v, 50, 100); });
  std::printf("%g\n", low.get() + high.get());

  std::promise<int> promise;
  std::future<int> answer = promise.get_future();
  std::thread teller([&] { promise.set_value(42); });
  std::printf("%d\n", answer.get());
  teller.join();
  try {
    promise.set_value(43);
  } catch (const std::future_error &e) {
    std::printf("%s %d\n", e.what(), e.code() == std::future_errc::promise_already_satisfied);
  }

  auto lazy = std::async(std::launch::deferred, [] { return 7; });
  std::printf("%d\n", lazy.get());

  std::packaged_task<int(int)> task([](int x) {
    if (x < 0) throw std::runtime_error("negative");
    return x + 1;
  });
  auto thrown = task.get_future();
  std::thread worker(std::move(task), -1);
  try {
    thrown.get();
  } catch (const std::runtime_error &e) {
    std::printf("caught %s\n", e.what());
  }
  worker.join();

  std::promise<void> go;
  std::shared_future<void> start = go.get_future().share();
  int ready[2] = {0, 0};
  std::thread first([&ready, start] { start.wait(), ready[0] = 1; });
  std::thread second([&ready, start] { start.wait(), ready[1] = 1; });
  go.set_value();
  first.join();
  second.join();
  std::printf("%d\n", ready[0] + ready[1]);

  std::future<int> never;
  {
    std::promise<int> forgotten;
    never = forgotten.get_future();
    std::printf("%d\n", never.wait_for(std::chrono::milliseconds(1)) == std::future_status::timeout);
  }
  try {
    never.get();
  } catch (const std::future_error &e) {
    std::printf("%s\n", e.what());
  }
  return 0;
}
