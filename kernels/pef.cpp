#include "pef.hpp"

#include <algorithm>

namespace kilter {

double TreeScorer::branching_value(const double* children, std::int64_t count, double own) const {
    const auto child = [&](std::int64_t i) { return children[right_branching_ ? count - 1 - i : i]; };
    double value = child(0);
    for (std::int64_t i = 1; i < count; ++i) {
        const double next = child(i);
        if (value == kLeafValue && next == kLeafValue) {
            value = own;
        } else {
            const double mean = value == kLeafValue ? next : next == kLeafValue ? value : 0.5 * (value + next);
            value = beta_ * own + keep_ * mean;
        }
    }
    return value;
}

double TreeScorer::prime_value(const double* children, std::int64_t count, double own) const {
    double sum = 0.0;
    std::int64_t inner = 0;
    for (std::int64_t c = 0; c < count; ++c) {
        if (children[c] != kLeafValue) {
            sum += children[c];
            ++inner;
        }
    }
    return inner == 0 ? own : beta_ * own + keep_ * (sum / static_cast<double>(inner));
}

TreeScores TreeScorer::score(const PermutationTree& tree, const double* operator_scores) {
    const auto size = static_cast<std::size_t>(tree.size());
    if (size <= 1) {
        return {};
    }
    pef_.resize(size);
    pet_.resize(size);
    for (std::size_t node = size; node-- > 0;) {  // preorder backwards: children before parents
        if (tree.kind[node] == kLeaf) {
            pef_[node] = pet_[node] = kLeafValue;
            continue;
        }
        pef_children_.clear();
        pet_children_.clear();
        std::int64_t inner = 0;
        auto child = node + 1;
        for (std::int32_t c = 0; c < tree.children[node]; ++c) {
            pef_children_.push_back(pef_[child]);
            pet_children_.push_back(pet_[child]);
            inner += tree.kind[child] != kLeaf;
            child = static_cast<std::size_t>(tree.next[child]);
        }
        const double own = operator_scores[node];
        const auto count = static_cast<std::int64_t>(pef_children_.size());
        if (tree.kind[node] == kPrime) {
            pef_[node] = prime_value(pef_children_.data(), count, own);
            pet_[node] = prime_value(pet_children_.data(), count, own);
        } else {
            pef_[node] = linear_.value(pef_children_.data(), count, inner, own);
            pet_[node] = branching_value(pet_children_.data(), count, own);
        }
    }
    return {pef_[0], pet_[0]};
}

void ScoringSink::clear(std::int32_t n) {
    scores = {};
    trees = {};
    nodes = 0;
    max_operator = n > 1 ? 2 : 0;
    open_.clear();
    values_.clear();
}

// A node that will not grow any more: returns its value and takes its children off the stack.
double ScoringSink::take(const OpenNode& node, const Payload& payload) {
    if (node.kind == kLeaf) {
        return kLeafValue;
    }
    if (node.kind == kPrime) {
        return payload.pef;
    }
    nodes += node.children - 1;
    trees.multiply(tree_counts_[static_cast<std::size_t>(node.children)]);
    const double value =
        linear_.value(values_.data() + payload.base, node.children, payload.inner, own_score(node.kind));
    values_.resize(static_cast<std::size_t>(payload.base));
    return value;
}

void ScoringSink::extend(const OpenNode& below, const OpenNode& newest, std::int32_t) {
    const Payload last = open_.back();
    const double value = take(newest, last);
    open_.pop_back();
    Payload& payload = open_.back();
    values_.push_back(value);
    payload.inner += value != kLeafValue;
    const double own = own_score(below.kind);
    if (value != kLeafValue) {
        payload.pet = beta_ * own + keep_ * (0.5 * (payload.pet + last.pet));
    } else if (payload.pet != own) {  // own stays own, to the last bit
        payload.pet = beta_ * own + keep_ * payload.pet;
    }
}

void ScoringSink::pair(const OpenNode& below, const OpenNode& newest, std::int32_t kind, std::int32_t) {
    const Payload last = open_.back();
    const double second = take(newest, last);
    open_.pop_back();
    Payload& payload = open_.back();
    const double first = take(below, payload);
    const double own = own_score(kind);
    const double mean = first == kLeafValue    ? last.pet
                        : second == kLeafValue ? payload.pet
                                               : 0.5 * (payload.pet + last.pet);
    const bool words_only = first == kLeafValue && second == kLeafValue;
    payload = {static_cast<std::int64_t>(values_.size()), (first != kLeafValue) + (second != kLeafValue),
               words_only ? own : beta_ * own + keep_ * mean, 0.0};
    values_.push_back(first);
    values_.push_back(second);
}

void ScoringSink::prime(const NodeStack& stack, std::size_t index, const OpenNode& newest, std::int32_t) {
    double pef_sum = 0.0;
    double pet_sum = 0.0;
    std::int64_t inner = 0;
    const auto add = [&](const OpenNode& node, const Payload& payload) {
        if (node.kind != kLeaf) {
            pef_sum += take(node, payload);
            pet_sum += payload.pet;
            ++inner;
        }
    };
    add(newest, open_.back());
    for (std::size_t k = stack.size(); k-- > index;) {
        add(stack[k], open_[k]);
    }
    open_.resize(index + 1);
    const auto share = inner > 0 ? keep_ / static_cast<double>(inner) : 0.0;
    open_.back() = {static_cast<std::int64_t>(values_.size()), inner, share * pet_sum, share * pef_sum};
    ++nodes;
    max_operator = std::max(max_operator, static_cast<std::int32_t>(stack.size() - index) + 1);
}

void ScoringSink::finish(const OpenNode& root) {
    if (root.kind != kLeaf) {
        scores.pet = open_.front().pet;
        scores.pef = take(root, open_.front());
    }
}

}  // namespace kilter
