// std::exception_ptr: kept beyond the handler, thrown again twice, made of a value, thrown again within its own handler.
#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

struct Tracked {
  static int alive;
  int number;
  explicit Tracked(int n) : number(n) { alive++; }
  Tracked(const Tracked &other) : number(other.number) { alive++; }
  ~Tracked() { alive--; }
};
int Tracked::alive = 0;

static std::exception_ptr caught(int kind) {
  try {
    if (kind == 0) throw std::out_of_range("far");
    if (kind == 1) throw Tracked(7);
    throw 2.5;
  } catch (...) {
    return std::current_exception();
  }
}

static void show(std::exception_ptr pointer) {
  try {
    if (pointer) std::rethrow_exception(pointer);
    std::printf("nothing\n");
  } catch (const std::logic_error &e) {
    std::printf("logic_error %s\n", e.what());
  } catch (const std::exception &e) {
    std::printf("exception %s\n", e.what());
  } catch (const Tracked &t) {
    std::printf("tracked %d, %d alive\n", t.number, Tracked::alive);
  } catch (...) {
    std::printf("something else\n");
  }
}

int main() {
  std::vector<std::exception_ptr> kept;
  for (int kind = 0; kind < 3; kind++) kept.push_back(caught(kind));
  kept.push_back(std::make_exception_ptr(std::runtime_error("made")));
  kept.push_back(nullptr);
  for (int round = 0; round < 2; round++)
    for (const auto &pointer : kept) show(pointer);
  std::exception_ptr copy = kept[1];
  std::printf("%d %d\n", copy == kept[1], copy == kept[0]);
  kept.clear();
  std::printf("%d alive\n", Tracked::alive);
  copy = nullptr;
  std::printf("%d alive, %d\n", Tracked::alive, std::current_exception() == nullptr);
  try {
    try {
      throw std::string("inner");
    } catch (...) {
      std::rethrow_exception(std::current_exception());
    }
  } catch (const std::string &s) {
    std::printf("%s\n", s.c_str());
  }
  return 0;
}
