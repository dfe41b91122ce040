// A guard without a name is destroyed at the end of its statement, and the lock with it.
#include <cstdio>
#include <mutex>
#include <thread>

static std::mutex lock;
static int shared_value;

static void bump() {
  for (int i = 0; i < 10; i++) {
    (void)std::lock_guard<std::mutex>{lock};
    shared_value++; //~ race
  }
}

int main() {
  std::thread first(bump), second(bump);
  first.join();
  second.join();
  std::printf("%d\n", shared_value > 0);
}
