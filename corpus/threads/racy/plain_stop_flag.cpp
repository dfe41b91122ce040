// A worker is told to stop through a plain bool.
#include <cstdio>
#include <thread>

static bool stop;
static long turns;

int main() {
  std::thread worker([] {
    for (long i = 0; i < 50 && !stop; i++) //~ race
      turns = i;
  });
  stop = true; //~ race
  worker.join();
  std::printf("%d\n", turns >= 0);
}
