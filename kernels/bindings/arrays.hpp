// What all bindings share: arrays of numpy in, arrays of numpy out.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "batch.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace kilter {

template <class T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Matrix = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using Array = nb::ndarray<nb::numpy, T>;

// Hands a vector's memory to numpy without a copy.
template <class Values>
auto to_array(Values&& values) {
    using T = typename Values::value_type;
    const std::size_t size = values.size();
    auto owned = std::make_unique<Values>(std::move(values));
    nb::capsule owner(owned.get(), [](void* p) noexcept { delete static_cast<Values*>(p); });
    T* data = owned.release()->data();
    return Array<T>(data, {size}, owner);
}

// Memory that a kernel fills completely; left as it is until then.
template <class T>
class Output {
public:
    explicit Output(std::size_t size) : data_(std::make_unique_for_overwrite<T[]>(size)) {}
    T* data() { return data_.get(); }
    Array<T> to_array(std::initializer_list<std::size_t> shape) && {
        nb::capsule owner(data_.get(), [](void* p) noexcept { delete[] static_cast<T*>(p); });
        return Array<T>(data_.release(), shape, owner);
    }

private:
    std::unique_ptr<T[]> data_;
};

inline Batch as_batch(const Vector<std::int32_t>& values, const Vector<std::int64_t>& offsets) {
    if (offsets.size() == 0) {
        throw nb::value_error("offsets hold at least one entry");
    }
    const Batch batch{values.data(), offsets.data(), static_cast<std::int64_t>(offsets.size()) - 1};
    if (batch.offsets[0] != 0 ||
        batch.offsets[batch.segments] != static_cast<std::int64_t>(values.size())) {
        throw nb::value_error("offsets start at 0 and end at the number of values");
    }
    return batch;
}

// Links: rows of (first, second).
using Pairs = nb::ndarray<const std::int32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

}  // namespace kilter
