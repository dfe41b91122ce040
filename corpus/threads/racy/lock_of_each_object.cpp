// Each object has a lock of its own, which does not protect what all objects share.
#include <cstdio>
#include <mutex>
#include <thread>

class Account {
  std::mutex lock;
  int balance = 0;
  static int operations;

public:
  void add(int amount) {
    std::lock_guard<std::mutex> guard(lock);
    balance += amount;
    operations++; //~ race
  }
  int get() const { return balance; }
};
int Account::operations;

int main() {
  Account a, b;
  std::thread first([&a] { for (int i = 0; i < 5; i++) a.add(1); });
  std::thread second([&b] { for (int i = 0; i < 5; i++) b.add(2); });
  first.join();
  second.join();
  std::printf("%d %d\n", a.get(), b.get());
}
