// Semaphores, latches and barriers of C++20, and waiting for an atomic to change.
// adj-flags: -std=c++20
#include <atomic>
#include <barrier>
#include <cstdio>
#include <latch>
#include <semaphore>
#include <thread>

static std::binary_semaphore turn(1);
static std::latch started(2);
static std::barrier meeting(2);
static std::atomic<int> stage;
static int sum, halves[2];

static void work(int number) {
  started.arrive_and_wait();
  for (int i = 0; i < 6; i++) {
    turn.acquire();
    sum += i;
    turn.release();
  }
  halves[number] = number + 1;
  meeting.arrive_and_wait();
  int other = halves[1 - number];
  meeting.arrive_and_wait();
  halves[number] = 10 * other;
  if (number == 0) {
    stage.store(1);
    stage.notify_all();
  }
}

int main() {
  std::thread first(work, 0), second(work, 1);
  stage.wait(0);
  int early = halves[0];
  first.join();
  second.join();
  std::printf("%d %d %d\n", sum, early, halves[1]);
}
