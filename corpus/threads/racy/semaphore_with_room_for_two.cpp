// A semaphore of C++20 that lets two threads in guards a sum.
// adj-flags: -std=c++20
#include <cstdio>
#include <semaphore>
#include <thread>

static std::counting_semaphore<2> room(2);
static int sum;

static void add() {
  for (int i = 0; i < 8; i++) {
    room.acquire();
    sum += i; //~ race
    room.release();
  }
}

int main() {
  std::thread first(add), second(add);
  first.join();
  second.join();
  std::printf("%d\n", sum > 0);
}
