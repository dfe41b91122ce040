// A guard with a name holds the lock until the end of its block; exceptions pass it.
#include <cstdio>
#include <mutex>
#include <thread>

static std::mutex lock;
static int shared_value, failures;

static void bump(int number) {
  std::lock_guard<std::mutex> guard(lock);
  shared_value++;
  if (number == 3)
    throw number;
}

static void work() {
  for (int i = 0; i < 10; i++) {
    try {
      bump(i);
    } catch (int) {
      std::unique_lock<std::mutex> again(lock);
      failures++;
    }
  }
}

int main() {
  std::thread first(work), second(work);
  first.join();
  second.join();
  std::printf("%d %d\n", shared_value, failures);
}
