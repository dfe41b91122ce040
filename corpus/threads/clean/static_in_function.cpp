// Static objects of functions are made once, whichever thread comes first; thread_local ones once a thread.
#include <atomic>
#include <cstdio>
#include <thread>

static std::atomic<int> made, ended;

struct Table {
  int squares[8];
  Table() {
    for (int i = 0; i < 8; i++)
      squares[i] = i * i;
    made++;
  }
};

struct Local {
  int uses = 0;
  ~Local() { ended += uses; }
};

static int square(int i) {
  static Table table;
  thread_local Local local;
  local.uses++;
  return table.squares[i];
}

int main() {
  std::atomic<int> sum{0};
  auto work = [&sum] {
    for (int i = 0; i < 8; i++)
      sum += square(i);
  };
  std::thread first(work), second(work), third(work);
  first.join();
  second.join();
  third.join();
  std::printf("%d %d %d\n", sum.load(), made.load(), ended.load());
}
