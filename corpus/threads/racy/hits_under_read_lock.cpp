// A cache counts its hits while it is only locked for reading.
#include <cstdio>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex lock;
static std::map<int, int> squares;
static int hits;

static int square(int n) {
  {
    std::shared_lock<std::shared_mutex> reading(lock);
    auto found = squares.find(n);
    if (found != squares.end()) {
      hits++; //~ race
      return found->second;
    }
  }
  std::unique_lock<std::shared_mutex> writing(lock);
  return squares[n] = n * n;
}

static void work() {
  for (int i = 0; i < 12; i++)
    square(i % 3);
}

int main() {
  square(0);
  std::thread first(work), second(work);
  first.join();
  second.join();
  std::printf("%d\n", hits > 0);
}
