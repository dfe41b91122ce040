// A helper returns a pointer into a static buffer, which two threads fill.
#include <cstdio>
#include <thread>

static const char *digits(int number) {
  static char buffer[8];
  buffer[0] = static_cast<char>('0' + number % 10); //~ race
  buffer[1] = 0; //~ race
  return buffer;
}

static void show(int number) {
  for (int i = 0; i < 4; i++)
    if (digits(number)[0] == 'x') //~ race
      std::puts("x");
}

int main() {
  std::thread first(show, 1), second(show, 2);
  first.join();
  second.join();
  std::puts("done");
}
