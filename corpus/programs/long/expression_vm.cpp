// A language of expressions, functions and loops: lexer, parser to a syntax tree with visitors, constant folding, a compiler to bytecode, a
// stack machine with call frames, a disassembler, and errors with their places.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iomanip>
#include <iostream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

struct Place {
    int line = 1, column = 1;
};

class LanguageError : public std::runtime_error {
public:
    LanguageError(Place at, const std::string &what)
        : std::runtime_error(std::to_string(at.line) + ":" + std::to_string(at.column) + ": " + what), at(at) {}
    Place at;
};

// ---- lexer ----

enum class Kind { Number, Name, Symbol, End };

struct Token {
    Kind kind = Kind::End;
    std::string text;
    double number = 0;
    Place at;
};

class Lexer {
public:
    explicit Lexer(std::string_view source) : source(source) {}
    std::vector<Token> all() {
        std::vector<Token> tokens;
        do
            tokens.push_back(next());
        while (tokens.back().kind != Kind::End);
        return tokens;
    }

private:
    std::string_view source;
    size_t at = 0;
    Place place;

    char peek(size_t ahead = 0) const { return at + ahead < source.size() ? source[at + ahead] : '\0'; }
    char take() {
        char c = source[at++];
        if (c == '\n') {
            place.line++;
            place.column = 1;
        } else {
            place.column++;
        }
        return c;
    }
    Token next() {
        while (std::isspace(static_cast<unsigned char>(peek())) || peek() == '#') {
            if (peek() == '#')
                while (peek() && peek() != '\n')
                    take();
            else
                take();
        }
        Token token;
        token.at = place;
        size_t start = at;
        char c = peek();
        if (!c)
            return token;
        if (std::isdigit(static_cast<unsigned char>(c)) || (c == '.' && std::isdigit(static_cast<unsigned char>(peek(1))))) {
            token.kind = Kind::Number;
            size_t used = 0;
            token.number = std::stod(std::string(source.substr(at)), &used);
            while (used--)
                take();
        } else if (std::isalpha(static_cast<unsigned char>(c)) || c == '_') {
            token.kind = Kind::Name;
            while (std::isalnum(static_cast<unsigned char>(peek())) || peek() == '_')
                take();
        } else {
            token.kind = Kind::Symbol;
            take();
            static const std::string_view pairs[] = {"==", "!=", "<=", ">=", "&&", "||"};
            if (std::find(std::begin(pairs), std::end(pairs), source.substr(start, 2)) != std::end(pairs))
                take();
            else if (std::string_view("+-*/^%<>=!(){},;").find(c) == std::string_view::npos)
                throw LanguageError(token.at, std::string("unexpected character '") + c + "'");
        }
        token.text = source.substr(start, at - start);
        return token;
    }
};

// ---- syntax tree ----

struct Literal;
struct Variable;
struct Unary;
struct Binary;
struct Call;
struct Assign;
struct If;
struct While;
struct Block;
struct Return;

struct Visitor {
    virtual ~Visitor() = default;
    virtual void visit(const Literal &) = 0;
    virtual void visit(const Variable &) = 0;
    virtual void visit(const Unary &) = 0;
    virtual void visit(const Binary &) = 0;
    virtual void visit(const Call &) = 0;
    virtual void visit(const Assign &) = 0;
    virtual void visit(const If &) = 0;
    virtual void visit(const While &) = 0;
    virtual void visit(const Block &) = 0;
    virtual void visit(const Return &) = 0;
};

struct Node {
    explicit Node(Place at) : at(at) {}
    virtual ~Node() = default;
    virtual void accept(Visitor &v) const = 0;
    Place at;
};
using NodePtr = std::unique_ptr<Node>;

template <class Self> struct Visitable : Node {
    using Node::Node;
    void accept(Visitor &v) const override { v.visit(static_cast<const Self &>(*this)); }
};

struct Literal : Visitable<Literal> {
    Literal(Place at, double value) : Visitable(at), value(value) {}
    double value;
};
struct Variable : Visitable<Variable> {
    Variable(Place at, std::string name) : Visitable(at), name(std::move(name)) {}
    std::string name;
};
struct Unary : Visitable<Unary> {
    Unary(Place at, char op, NodePtr operand) : Visitable(at), op(op), operand(std::move(operand)) {}
    char op;
    NodePtr operand;
};
struct Binary : Visitable<Binary> {
    Binary(Place at, std::string op, NodePtr left, NodePtr right)
        : Visitable(at), op(std::move(op)), left(std::move(left)), right(std::move(right)) {}
    std::string op;
    NodePtr left, right;
};
struct Call : Visitable<Call> {
    Call(Place at, std::string name, std::vector<NodePtr> arguments)
        : Visitable(at), name(std::move(name)), arguments(std::move(arguments)) {}
    std::string name;
    std::vector<NodePtr> arguments;
};
struct Assign : Visitable<Assign> {
    Assign(Place at, std::string name, NodePtr value) : Visitable(at), name(std::move(name)), value(std::move(value)) {}
    std::string name;
    NodePtr value;
};
struct If : Visitable<If> {
    If(Place at, NodePtr condition, NodePtr then, NodePtr otherwise)
        : Visitable(at), condition(std::move(condition)), then(std::move(then)), otherwise(std::move(otherwise)) {}
    NodePtr condition, then, otherwise;
};
struct While : Visitable<While> {
    While(Place at, NodePtr condition, NodePtr body) : Visitable(at), condition(std::move(condition)), body(std::move(body)) {}
    NodePtr condition, body;
};
struct Block : Visitable<Block> {
    using Visitable::Visitable;
    std::vector<NodePtr> statements;
};
struct Return : Visitable<Return> {
    Return(Place at, NodePtr value) : Visitable(at), value(std::move(value)) {}
    NodePtr value;
};

struct Function {
    std::string name;
    std::vector<std::string> parameters;
    NodePtr body;
};
using Program = std::vector<Function>;

// ---- parser ----

class Parser {
public:
    explicit Parser(std::string_view source) : tokens(Lexer(source).all()) {}
    Program program() {
        Program functions;
        while (now().kind != Kind::End) {
            expect("def");
            Function f;
            f.name = name();
            expect("(");
            while (now().text != ")") {
                f.parameters.push_back(name());
                if (now().text != ")")
                    expect(",");
            }
            expect(")");
            f.body = block();
            functions.push_back(std::move(f));
        }
        return functions;
    }

private:
    std::vector<Token> tokens;
    size_t at = 0;

    const Token &now() const { return tokens[at]; }
    bool accept(std::string_view text) {
        if (now().kind == Kind::End || now().text != text)
            return false;
        at++;
        return true;
    }
    void expect(std::string_view text) {
        if (!accept(text))
            throw LanguageError(now().at, "expected '" + std::string(text) + "'" +
                                              (now().kind == Kind::End ? ", found the end" : ", found '" + now().text + "'"));
    }
    std::string name() {
        if (now().kind != Kind::Name)
            throw LanguageError(now().at, "expected a name");
        return tokens[at++].text;
    }
    NodePtr block() {
        auto b = std::make_unique<Block>(now().at);
        expect("{");
        while (!accept("}"))
            b->statements.push_back(statement());
        return b;
    }
    NodePtr statement() {
        Place place = now().at;
        if (accept("if")) {
            NodePtr condition = expression(), then = block(), otherwise;
            if (accept("else"))
                otherwise = now().text == "if" ? statement() : block();
            return std::make_unique<If>(place, std::move(condition), std::move(then), std::move(otherwise));
        }
        if (accept("while")) {
            NodePtr condition = expression();
            return std::make_unique<While>(place, std::move(condition), block());
        }
        NodePtr result;
        if (accept("return")) {
            result = std::make_unique<Return>(place, expression());
        } else if (now().kind == Kind::Name && tokens[at + 1].text == "=") {
            std::string target = name();
            expect("=");
            result = std::make_unique<Assign>(place, target, expression());
        } else {
            result = expression();
        }
        expect(";");
        return result;
    }
    static int strength(const std::string &op) {
        static const std::unordered_map<std::string, int> table{{"||", 1}, {"&&", 2}, {"==", 3}, {"!=", 3}, {"<", 4},  {"<=", 4}, {">", 4},
                                                                {">=", 4}, {"+", 5},  {"-", 5},  {"*", 6},  {"/", 6}, {"%", 6},  {"^", 8}};
        auto found = table.find(op);
        return found == table.end() ? 0 : found->second;
    }
    NodePtr expression(int least = 1) {
        NodePtr left = unary();
        for (int s; (s = strength(now().text)) >= least && now().kind == Kind::Symbol;) {
            Token op = tokens[at++];
            NodePtr right = expression(op.text == "^" ? s : s + 1);
            left = std::make_unique<Binary>(op.at, op.text, std::move(left), std::move(right));
        }
        return left;
    }
    NodePtr unary() {
        Place place = now().at;
        if (accept("-"))
            return std::make_unique<Unary>(place, '-', expression(7));
        if (accept("!"))
            return std::make_unique<Unary>(place, '!', expression(7));
        if (now().kind == Kind::Number)
            return std::make_unique<Literal>(place, tokens[at++].number);
        if (accept("(")) {
            NodePtr inner = expression();
            expect(")");
            return inner;
        }
        if (now().kind != Kind::Name)
            throw LanguageError(place, now().kind == Kind::End ? "unexpected end" : "unexpected '" + now().text + "'");
        std::string who = name();
        if (!accept("("))
            return std::make_unique<Variable>(place, who);
        std::vector<NodePtr> arguments;
        while (!accept(")")) {
            arguments.push_back(expression());
            if (now().text != ")")
                expect(",");
        }
        return std::make_unique<Call>(place, who, std::move(arguments));
    }
};

// ---- meaning, shared by folding, machine and evaluator ----

static double apply(const std::string &op, double a, double b) {
    if (op == "+") return a + b;
    if (op == "-") return a - b;
    if (op == "*") return a * b;
    if (op == "/") return a / b;
    if (op == "%") return std::fmod(a, b);
    if (op == "^") return std::pow(a, b);
    if (op == "==") return a == b;
    if (op == "!=") return a != b;
    if (op == "<") return a < b;
    if (op == "<=") return a <= b;
    if (op == ">") return a > b;
    return a >= b;
}

using Native = std::function<double(const double *)>;
static const std::unordered_map<std::string, std::pair<size_t, Native>> &natives() {
    static const std::unordered_map<std::string, std::pair<size_t, Native>> table{
        {"sqrt", {1, [](const double *a) { return std::sqrt(a[0]); }}},
        {"sin", {1, [](const double *a) { return std::sin(a[0]); }}},
        {"exp", {1, [](const double *a) { return std::exp(a[0]); }}},
        {"floor", {1, [](const double *a) { return std::floor(a[0]); }}},
        {"max", {2, [](const double *a) { return std::max(a[0], a[1]); }}},
    };
    return table;
}

// ---- bytecode ----

enum class Op : uint8_t { Push, Load, Store, Pop, Negate, Not, Operate, Jump, JumpIfZero, CallFunction, CallNative, Return };

struct Instruction {
    Op op;
    std::variant<std::monostate, double, int, std::string> operand;
    Place at;
};

struct Compiled {
    std::string name;
    int parameters = 0, locals = 0;
    std::vector<Instruction> code;
};

class Compiler : public Visitor {
public:
    explicit Compiler(const Program &program) : program(program) {
        for (size_t i = 0; i < program.size(); i++)
            if (!index.emplace(program[i].name, static_cast<int>(i)).second)
                throw LanguageError(program[i].body->at, program[i].name + " is defined twice");
    }
    std::vector<Compiled> all() {
        std::vector<Compiled> result;
        for (const Function &f : program) {
            slots.clear();
            out = Compiled{f.name, static_cast<int>(f.parameters.size()), 0, {}};
            for (const std::string &p : f.parameters)
                slots.emplace(p, static_cast<int>(slots.size()));
            f.body->accept(*this);
            emit(Op::Push, 0.0, f.body->at);
            emit(Op::Return, std::monostate{}, f.body->at);
            out.locals = static_cast<int>(slots.size());
            result.push_back(std::move(out));
        }
        return result;
    }
    int folded = 0;

    void visit(const Literal &n) override { emit(Op::Push, n.value, n.at); }
    void visit(const Variable &n) override {
        auto slot = slots.find(n.name);
        if (slot == slots.end())
            throw LanguageError(n.at, n.name + " has no value");
        emit(Op::Load, slot->second, n.at);
    }
    void visit(const Unary &n) override {
        n.operand->accept(*this);
        if (n.op == '-' && out.code.back().op == Op::Push) {
            std::get<double>(out.code.back().operand) *= -1;
            folded++;
        } else {
            emit(n.op == '-' ? Op::Negate : Op::Not, std::monostate{}, n.at);
        }
    }
    void visit(const Binary &n) override {
        if (n.op == "&&" || n.op == "||") {
            logical(n);
            return;
        }
        n.left->accept(*this);
        size_t middle = out.code.size();
        bool left = out.code.back().op == Op::Push;
        n.right->accept(*this);
        if (left && out.code.size() == middle + 1 && out.code.back().op == Op::Push) {
            double b = std::get<double>(out.code.back().operand);
            out.code.pop_back();
            double &a = std::get<double>(out.code.back().operand);
            a = apply(n.op, a, b);
            folded++;
        } else {
            emit(Op::Operate, n.op, n.at);
        }
    }
    void visit(const Call &n) override {
        for (const NodePtr &a : n.arguments)
            a->accept(*this);
        auto own = index.find(n.name);
        auto native = natives().find(n.name);
        if (own == index.end() && native == natives().end())
            throw LanguageError(n.at, "no function is called " + n.name);
        size_t wanted = own != index.end() ? program[static_cast<size_t>(own->second)].parameters.size() : native->second.first;
        if (wanted != n.arguments.size())
            throw LanguageError(n.at, n.name + " takes " + std::to_string(wanted) + " arguments, not " + std::to_string(n.arguments.size()));
        if (own != index.end())
            emit(Op::CallFunction, own->second, n.at);
        else
            emit(Op::CallNative, n.name, n.at);
    }
    void visit(const Assign &n) override {
        n.value->accept(*this);
        int slot = slots.emplace(n.name, static_cast<int>(slots.size())).first->second;
        emit(Op::Store, slot, n.at);
    }
    void visit(const If &n) override {
        n.condition->accept(*this);
        size_t skip = emit(Op::JumpIfZero, 0, n.at);
        n.then->accept(*this);
        if (n.otherwise) {
            size_t end = emit(Op::Jump, 0, n.at);
            patch(skip);
            statement(*n.otherwise);
            patch(end);
        } else {
            patch(skip);
        }
    }
    void visit(const While &n) override {
        int start = static_cast<int>(out.code.size());
        n.condition->accept(*this);
        size_t leave = emit(Op::JumpIfZero, 0, n.at);
        n.body->accept(*this);
        emit(Op::Jump, start, n.at);
        patch(leave);
    }
    void visit(const Block &n) override {
        for (const NodePtr &s : n.statements)
            statement(*s);
    }
    void visit(const Return &n) override {
        n.value->accept(*this);
        emit(Op::Return, std::monostate{}, n.at);
    }

private:
    const Program &program;
    std::unordered_map<std::string, int> index, slots;
    Compiled out;

    template <class T> size_t emit(Op op, T operand, Place at) {
        out.code.push_back({op, std::move(operand), at});
        return out.code.size() - 1;
    }
    void patch(size_t jump) { out.code[jump].operand = static_cast<int>(out.code.size()); }
    void statement(const Node &n) {
        n.accept(*this);
        if (dynamic_cast<const Literal *>(&n) || dynamic_cast<const Variable *>(&n) || dynamic_cast<const Unary *>(&n) ||
            dynamic_cast<const Binary *>(&n) || dynamic_cast<const Call *>(&n))
            emit(Op::Pop, std::monostate{}, n.at);
    }
    void logical(const Binary &n) {
        bool both = n.op == "&&";
        n.left->accept(*this);
        if (!both)
            emit(Op::Not, std::monostate{}, n.at);
        size_t decided = emit(Op::JumpIfZero, 0, n.at);
        n.right->accept(*this);
        emit(Op::Not, std::monostate{}, n.at);
        emit(Op::Not, std::monostate{}, n.at);
        size_t end = emit(Op::Jump, 0, n.at);
        patch(decided);
        emit(Op::Push, both ? 0.0 : 1.0, n.at);
        patch(end);
    }
};

// ---- the machine ----

class Machine {
public:
    explicit Machine(const std::vector<Compiled> &functions) : functions(functions) {}
    long executed = 0;
    size_t deepest = 0;

    double run(const std::string &name, const std::vector<double> &arguments) {
        auto f = std::find_if(functions.begin(), functions.end(), [&](const Compiled &c) { return c.name == name; });
        if (f == functions.end())
            throw std::out_of_range("no function " + name);
        stack.assign(arguments.begin(), arguments.end());
        frames.clear();
        enter(*f, {});
        while (!frames.empty())
            step();
        double result = stack.back();
        stack.pop_back();
        if (!stack.empty())
            throw std::logic_error("the stack is not empty");
        return result;
    }

private:
    struct Frame {
        const Compiled *function;
        size_t pc, base;
    };
    const std::vector<Compiled> &functions;
    std::vector<double> stack;
    std::vector<Frame> frames;

    void enter(const Compiled &f, Place at) {
        if (frames.size() == 200)
            throw LanguageError(at, "the calls are nested too deeply");
        frames.push_back({&f, 0, stack.size() - static_cast<size_t>(f.parameters)});
        stack.resize(frames.back().base + static_cast<size_t>(f.locals));
        deepest = std::max(deepest, frames.size());
    }
    double pop() {
        double value = stack.back();
        stack.pop_back();
        return value;
    }
    void step() {
        Frame &frame = frames.back();
        const Instruction &i = frame.function->code[frame.pc++];
        executed++;
        switch (i.op) {
        case Op::Push: stack.push_back(std::get<double>(i.operand)); break;
        case Op::Load: stack.push_back(stack[frame.base + static_cast<size_t>(std::get<int>(i.operand))]); break;
        case Op::Store: stack[frame.base + static_cast<size_t>(std::get<int>(i.operand))] = pop(); break;
        case Op::Pop: stack.pop_back(); break;
        case Op::Negate: stack.back() = -stack.back(); break;
        case Op::Not: stack.back() = stack.back() == 0; break;
        case Op::Operate: {
            double b = pop();
            stack.back() = apply(std::get<std::string>(i.operand), stack.back(), b);
            break;
        }
        case Op::Jump: frame.pc = static_cast<size_t>(std::get<int>(i.operand)); break;
        case Op::JumpIfZero:
            if (pop() == 0)
                frame.pc = static_cast<size_t>(std::get<int>(i.operand));
            break;
        case Op::CallFunction: enter(functions[static_cast<size_t>(std::get<int>(i.operand))], i.at); break;
        case Op::CallNative: {
            const auto &[count, call] = natives().at(std::get<std::string>(i.operand));
            double result = call(stack.data() + stack.size() - count);
            stack.resize(stack.size() - count);
            stack.push_back(result);
            break;
        }
        case Op::Return: {
            double result = pop();
            stack.resize(frame.base);
            stack.push_back(result);
            frames.pop_back();
        }
        }
    }
};

static void disassemble(std::ostream &out, const Compiled &f) {
    static const char *const names[] = {"push", "load", "store", "pop", "negate", "not", "operate", "jump", "jump-if-zero", "call", "native", "return"};
    out << f.name << ": " << f.parameters << " parameters, " << f.locals << " locals\n";
    for (size_t k = 0; k < f.code.size(); k++) {
        const Instruction &i = f.code[k];
        out << std::setw(4) << k << "  " << std::left << std::setw(13) << names[static_cast<int>(i.op)] << std::right;
        std::visit(
            [&](const auto &operand) {
                if constexpr (!std::is_same_v<std::decay_t<decltype(operand)>, std::monostate>)
                    out << ' ' << operand;
            },
            i.operand);
        out << '\n';
    }
}

// ---- the program ----

static int failures = 0;

static void expect_value(const char *source, const std::vector<double> &arguments, double expected) {
    Program program = Parser(source).program();
    Compiler compiler(program);
    auto code = compiler.all();
    Machine machine(code);
    double got = machine.run("main", arguments);
    bool right = std::abs(got - expected) <= 1e-12 * (1 + std::abs(expected));
    std::cout << (right ? "ok     " : "FAILED ") << std::setprecision(12) << got << " (" << machine.executed << " instructions, depth "
              << machine.deepest << ", " << compiler.folded << " folded)\n";
    failures += !right;
}

static void expect_error(const char *source, const std::string &expected) {
    std::string message = "nothing";
    try {
        Program program = Parser(source).program();
        auto code = Compiler(program).all();
        Machine(code).run("main", {});
    } catch (const LanguageError &error) {
        message = error.what();
    } catch (const std::out_of_range &error) {
        message = error.what();
    }
    bool right = message == expected;
    std::cout << (right ? "refused " : "FAILED ") << message << '\n';
    failures += !right;
}

// The rule that one of the programs writes out.
static double simpson(int n) {
    auto f = [](double x) { return std::sin(x) * std::exp(-x); };
    double h = 2.0 / n, sum = f(0) + f(2);
    for (int k = 1; k < n; k++)
        sum += (k % 2 ? 4 : 2) * f(k * h);
    return sum * h / 3;
}

int main() {
    expect_value("def main() { return 1 + 2 * 3 ^ 2 ^ 1 - 4 / 8; }", {}, 18.5);
    expect_value("def main(x) { return -x ^ 2 + (x - 1) * 2; }", {3}, -5);
    expect_value("def fib(n) { if n < 2 { return n; } return fib(n - 1) + fib(n - 2); } def main(n) { return fib(n); }", {11}, 89);
    expect_value("def gcd(a, b) { while b != 0 { t = a % b; a = b; b = t; } return a; } def main() { return gcd(1071, 462); }", {}, 21);
    expect_value("# Newton's method\ndef main(a) { x = a; i = 0; while i < 12 && x * x != a { x = (x + a / x) / 2; i = i + 1; } return x; }",
                 {2}, std::sqrt(2.0));
    expect_value("def even(n) { if n == 0 { return 1; } else { return odd(n - 1); } }"
                 "def odd(n) { if n == 0 { return 0; } return even(n - 1); } def main() { return even(30) * 10 + odd(7); }",
                 {}, 11);
    expect_value("def f(x) { return sin(x) * exp(-x); }"
                 "def main(n) { h = 2 / n; s = f(0) + f(2); k = 1; while k < n { if k % 2 == 1 { s = s + 4 * f(k * h); } else { s = s + 2 * "
                 "f(k * h); } k = k + 1; } return s * h / 3; }",
                 {40}, simpson(40));
    expect_value("def main(x) { if x < 0 || x > 10 { return 1; } else if !(x == 5) && x >= 2 { return 2; } return max(3, floor(3.7)); }", {1}, 3);
    expect_value("def main() { n = 27; steps = 0; while n != 1 { if n % 2 == 0 { n = n / 2; } else { n = 3 * n + 1; } steps = steps + 1; } "
                 "return steps; }",
                 {}, 111);

    Program program = Parser("def main(x) { y = 2 * 3 + x; while y > 1 { y = y / 2; } return -y; }").program();
    std::ostringstream listing;
    disassemble(listing, Compiler(program).all().front());
    std::cout << listing.str();
    failures += listing.str().find("push          6") == std::string::npos;

    expect_error("def main() { return 1 +; }", "1:24: unexpected ';'");
    expect_error("def main() {\n  return y;\n}", "2:10: y has no value");
    expect_error("def main() { return g(1); }", "1:21: no function is called g");
    expect_error("def f(a, b) { return a; }\ndef main() { return f(1); }", "2:21: f takes 2 arguments, not 1");
    expect_error("def main() { return 2 @ 3; }", "1:23: unexpected character '@'");
    expect_error("def main() { if 1 { return 2;", "1:30: unexpected end");
    expect_error("def main( { }", "1:11: expected a name");
    expect_error("def main() { return main(); }", "1:21: the calls are nested too deeply");
    expect_error("def f() { return 1; } def f() { return 2; }", "1:31: f is defined twice");
    expect_error("def f() { return 1; }", "no function main");
    std::cout << failures << " failures\n";
    return failures != 0;
}
