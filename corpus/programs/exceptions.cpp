// Exceptions: thrown through frames with clean-ups, caught by type, base and reference, rethrown, from the library and the constructor.
#include <cstdio>
#include <cstring>
#include <map>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

struct Trace {
    const char *name;
    explicit Trace(const char *n) : name(n) { printf("+%s ", name); }
    ~Trace() { printf("-%s ", name); }
};

struct Error {
    int code;
    explicit Error(int c) : code(c) {}
    Error(const Error &other) : code(other.code) {}
    virtual ~Error() {}
    virtual const char *text() const { return "error"; }
};
struct Left : Error {
    double weight = 2.5;
    explicit Left(int c) : Error(c) {}
    const char *text() const override { return "left"; }
};
struct Extra {
    long tag = 99;
    virtual ~Extra() {}
};
struct Both : Extra, Left {
    explicit Both(int c) : Left(c) {}
    const char *text() const override { return "both"; }
};
struct Mine : std::runtime_error {
    int line;
    Mine(const std::string &why, int l) : std::runtime_error(why), line(l) {}
};

__attribute__((noinline)) static void raise(int kind) {
    Trace trace("raise");
    switch (kind) {
    case 0: throw 7;
    case 1: throw 2.5;
    case 2: throw "text";
    case 3: throw Error(3);
    case 4: throw Left(4);
    case 5: throw Both(5);
    case 6: throw std::out_of_range("far");
    case 7: throw Mine("mine", 12);
    case 8: throw std::bad_alloc();
    case 9: throw (long)9;
    default: break;
    }
}

__attribute__((noinline)) static int middle(int kind) {
    Trace trace("middle");
    try {
        Trace inner("inner");
        raise(kind);
    } catch (const std::logic_error &e) {
        printf("[logic %s] ", e.what());
        throw;
    } catch (int x) {
        printf("[int %d] ", x);
        return x;
    } catch (Left &e) {
        e.code += 100;
        throw;
    }
    return -1;
}

static void outer(int kind) {
    try {
        printf("%d: ", middle(kind));
    } catch (const char *s) {
        printf("[text %s]", s);
    } catch (const Extra &e) {
        printf("[extra %ld]", e.tag);
    } catch (const Error &e) {
        printf("[%s %d]", e.text(), e.code);
    } catch (const Mine &e) {
        printf("[mine %s %d]", e.what(), e.line);
    } catch (const std::exception &e) {
        printf("[std %s]", e.what());
    } catch (double d) {
        printf("[double %g]", d);
    } catch (...) {
        printf("[something]");
    }
    printf("\n");
}

struct Guard {
    int *depth;
    explicit Guard(int *d) : depth(d) { ++*depth; }
    ~Guard() { --*depth; }
};

static int recurse(int n, int *depth) {
    Guard guard(depth);
    if (n == 0)
        throw *depth;
    return recurse(n - 1, depth) + 1;
}

struct Member {
    Trace a{"a"}, b;
    explicit Member(bool fails) : b("b") {
        if (fails)
            throw Error(1);
    }
};

static int quiet() noexcept {
    try {
        throw 1;
    } catch (...) {
        return 5;
    }
}

int main() {
    for (int kind = 0; kind <= 10; kind++)
        outer(kind);
    int depth = 0;
    try {
        recurse(20, &depth);
    } catch (int d) {
        printf("thrown at depth %d, now %d\n", d, depth);
    }
    try {
        Member member(true);
    } catch (const Error &) {
        printf("member\n");
    }
    try {
        std::vector<int> v(3);
        v.at(5) = 1;
    } catch (const std::out_of_range &e) {
        printf("%s\n", e.what());
    }
    try {
        std::map<int, int> m;
        printf("%d\n", m.at(4));
    } catch (const std::exception &e) {
        printf("%s\n", e.what());
    }
    try {
        try {
            throw Left(1);
        } catch (Error &e) {
            throw std::runtime_error(e.text());
        }
    } catch (std::exception &e) {
        printf("nested %s\n", e.what());
    }
    Extra *extra = new Both(8);
    Error *cast = dynamic_cast<Error *>(extra);
    printf("%s %d\n", cast ? cast->text() : "none", dynamic_cast<Mine *>(extra) == nullptr);
    delete extra;
    return quiet();
}
