// SPDX-License-Identifier: MIT
//
// Parses a condition by recursive descent into steps, and evaluates them on a stack. Truth on the stack is 1, 0 or NaN
// for unknown.

#include "capture/condition.hpp"

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string_view>
#include <system_error>

#include "capture/condition_fields.hpp"
#include "console/failure.hpp"

namespace lanefold::tools {
namespace {

using Op = Condition::Op;
using Step = Condition::Step;

// Depth of the grammar's rules, which recursion follows: 30 parentheses or 90 signs.
constexpr int kDeepest = 100;
constexpr std::size_t kLongest = 10000;  // of the text, in bytes
// Numbers on the stack: each rule that waits holds one. Refused beyond, which kDeepest does not reach.
constexpr std::size_t kStack = 256;

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// +1 for an operand, -1 for an operator of two.
int growth(Op op) {
    if (op == Op::number || op == Op::field) return 1;
    return op == Op::negate || op == Op::logical_not ? 0 : -1;
}

struct NamedOp {
    std::string_view token;
    Op op;
};
constexpr std::array kComparisons = {
    NamedOp{"<", Op::less},           NamedOp{"<=", Op::less_equal}, NamedOp{">", Op::greater},
    NamedOp{">=", Op::greater_equal}, NamedOp{"==", Op::equal},      NamedOp{"=", Op::equal},
    NamedOp{"!=", Op::not_equal},
};

class Parser {
public:
    Parser(const std::string& text, std::vector<Step>& steps) : text_(text), steps_(steps) {}

    void parse() {
        if (text_.size() > kLongest) throw bad_input("--capture: a condition of more than {} bytes", kLongest);
        require(disjunction(), Type::truth);
        if (!next().empty()) throw fail("expected 'and', 'or' or the end");
        std::size_t height = 0;
        for (const Step& step : steps_) {
            height += static_cast<std::size_t>(growth(step.op));
            if (height > kStack) throw fail("more than {} values at once", kStack);
        }
    }

private:
    enum class Type : std::uint8_t { truth, number, kind, status };

    // Counts how deep the rules are nested.
    struct Deeper {
        explicit Deeper(Parser& p) : parser(p) {
            if (++parser.depth_ > kDeepest) throw parser.fail("nested too deeply");
        }
        Deeper(const Deeper&) = delete;
        Deeper& operator=(const Deeper&) = delete;
        ~Deeper() { --parser.depth_; }
        Parser& parser;
    };

    template <class... Args>
    Failure fail(fmt::format_string<Args...> text, Args&&... args) const {
        const std::string what = fmt::format(text, std::forward<Args>(args)...);
        if (at_ >= text_.size()) return bad_input("--capture '{}': at its end: {}", text_, what);
        return bad_input("--capture '{}': at '{}': {}", text_, text_.substr(at_, 20), what);
    }

    // The next word, number or operator; empty at the end.
    std::string_view next() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
        const std::string_view rest = std::string_view(text_).substr(at_);
        std::size_t letters = 0;
        while (letters < rest.size() && is_letter(rest[letters])) ++letters;
        if (letters > 0) return rest.substr(0, letters);
        for (const std::string_view op : {"<=", ">=", "==", "!=", "&&", "||"}) {
            if (rest.starts_with(op)) return rest.substr(0, op.size());
        }
        return rest.substr(0, 1);
    }

    bool accept(std::string_view token) {
        if (next() != token) return false;
        at_ += token.size();
        return true;
    }

    void add(Op op) { steps_.push_back({op, 0, 0}); }

    void require(Type found, Type wanted) const {
        if (found == wanted) return;
        if (wanted == Type::truth) throw fail("expected a comparison, as in distance < -0.1");
        throw fail("{}", found == Type::truth ? "a comparison is no number" : "kind and status are no numbers");
    }

    Type disjunction() {
        const Deeper deeper(*this);
        Type type = conjunction();
        while (accept("or") || accept("||")) {
            require(type, Type::truth);
            require(conjunction(), Type::truth);
            add(Op::logical_or);
        }
        return type;
    }

    Type conjunction() {
        Type type = negation();
        while (accept("and") || accept("&&")) {
            require(type, Type::truth);
            require(negation(), Type::truth);
            add(Op::logical_and);
        }
        return type;
    }

    Type negation() {
        const Deeper deeper(*this);
        if (!accept("not") && !accept("!")) return comparison();
        require(negation(), Type::truth);
        add(Op::logical_not);
        return Type::truth;
    }

    Type comparison() {
        const Type left = sum();
        const std::string_view token = next();
        for (const NamedOp& comparison : kComparisons) {
            if (token != comparison.token) continue;
            if (left == Type::kind || left == Type::status) {
                compare_with_name(left, comparison.op, token);
            } else {
                require(left, Type::number);
                at_ += token.size();
                require(sum(), Type::number);
            }
            add(comparison.op);
            return Type::truth;
        }
        return left;
    }

    void compare_with_name(Type type, Op op, std::string_view token) {
        const char* const field = type == Type::kind ? "kind" : "status";
        if (op != Op::equal && op != Op::not_equal) throw fail("{} can only be equal (==) or not (!=)", field);
        at_ += token.size();
        const FieldType of = type == Type::kind ? FieldType::kind : FieldType::status;
        const std::string_view name = next();
        const std::optional<double> value = find_value(of, name);
        if (!value) throw fail("expected one of {}", value_names(of));
        at_ += name.size();
        steps_.push_back({Op::number, 0, *value});
    }

    Type sum() {
        const Type type = product();
        while (true) {
            const Op op = accept("+") ? Op::add : Op::subtract;
            if (op == Op::subtract && !accept("-")) return type;
            require(type, Type::number);
            require(product(), Type::number);
            add(op);
        }
    }

    Type product() {
        const Type type = factor();
        while (true) {
            const Op op = accept("*") ? Op::multiply : Op::divide;
            if (op == Op::divide && !accept("/")) return type;
            require(type, Type::number);
            require(factor(), Type::number);
            add(op);
        }
    }

    Type factor() {
        const Deeper deeper(*this);
        if (accept("-")) {
            require(factor(), Type::number);
            add(Op::negate);
            return Type::number;
        }
        if (accept("(")) {
            const Type type = disjunction();
            if (!accept(")")) throw fail("expected ')'");
            return type;
        }
        const std::string_view token = next();
        if (token.empty() || (!is_letter(token[0]) && token[0] != '.')) throw fail("expected a field or a number");
        if (std::isdigit(static_cast<unsigned char>(token[0])) != 0 || token[0] == '.') return number();
        const std::optional<std::uint32_t> field = find_field(token);
        if (!field) throw fail("there is no such field; the fields are {}", Condition::field_names());
        at_ += token.size();
        steps_.push_back({Op::field, *field, 0});
        const FieldType type = field_at(*field).type;
        return type == FieldType::kind ? Type::kind : type == FieldType::status ? Type::status : Type::number;
    }

    Type number() {
        double value = 0;
        const char* const begin = text_.data() + at_;
        const char* const end = text_.data() + text_.size();
        const auto [stop, error] = std::from_chars(begin, end, value);
        if (error != std::errc{} || !std::isfinite(value) || (stop != end && is_letter(*stop)))
            throw fail("this is no number");
        at_ += static_cast<std::size_t>(stop - begin);
        steps_.push_back({Op::number, 0, value});
        return Type::number;
    }

    const std::string& text_;
    std::vector<Step>& steps_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

double truth(bool holds, double x, double y) { return std::isnan(x) || std::isnan(y) ? NAN : holds ? 1.0 : 0.0; }

double both(double x, double y) {
    if (x == 0 || y == 0) return 0;
    return std::isnan(x) || std::isnan(y) ? NAN : 1;
}

double apply(Op op, double x, double y) {
    switch (op) {
        case Op::add:
            return x + y;
        case Op::subtract:
            return x - y;
        case Op::multiply:
            return x * y;
        case Op::divide:
            return x / y;
        case Op::less:
            return truth(x < y, x, y);
        case Op::less_equal:
            return truth(x <= y, x, y);
        case Op::greater:
            return truth(x > y, x, y);
        case Op::greater_equal:
            return truth(x >= y, x, y);
        case Op::equal:
            return truth(x == y, x, y);
        case Op::not_equal:
            return truth(x != y, x, y);
        case Op::logical_and:
            return both(x, y);
        default:
            return 1 - both(1 - x, 1 - y);  // logical_or
    }
}

}  // namespace

Condition::Condition(const std::string& text) : text_(text) { Parser(text_, steps_).parse(); }

bool Condition::holds(const ConditionInput& input) const {
    std::array<double, kStack> stack;  // NOLINT(cppcoreguidelines-pro-type-member-init): written before it is read
    std::size_t top = 0;               // number of values
    for (const Step& step : steps_) {
        switch (step.op) {
            case Op::number:
                stack[top++] = step.number;
                break;
            case Op::field:
                stack[top++] = field_at(step.field).value(input);
                break;
            case Op::negate:
                stack[top - 1] = -stack[top - 1];
                break;
            case Op::logical_not:
                stack[top - 1] = 1 - stack[top - 1];
                break;
            default:
                --top;
                stack[top - 1] = apply(step.op, stack[top - 1], stack[top]);
        }
    }
    return stack[0] == 1;
}

std::string Condition::field_names() {
    std::string out;
    for (std::uint32_t i = 0; i < field_count(); ++i) {
        if (i > 0) out += ", ";
        out += field_at(i).name;
    }
    return out;
}

}  // namespace lanefold::tools
