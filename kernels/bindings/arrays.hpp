// What all bindings share: arrays of numpy in and out, and calls that leave the interpreter lock.
//
// An argument is taken as it is or not at all: the types below never convert, so that an array of other
// numbers is a TypeError and not a silent copy. What they point to belongs to the caller, who may change it
// at any time; "checked.hpp" copies it first and then checks the copy.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#ifdef __linux__
#include <sys/mman.h>
#endif
#include <unistd.h>

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "watch.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace kilter {

// An array of exactly this type, row after row without gaps.
template <class Given>
struct Exact {
    Given array;

    auto data() const { return array.data(); }
    std::size_t size() const { return array.size(); }
    std::size_t shape(std::size_t axis) const { return array.shape(axis); }
};

template <class T>
using Vector = Exact<nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>>;
template <class T>
using Matrix = Exact<nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>>;
template <class T>
using Cube = Exact<nb::ndarray<const T, nb::ndim<3>, nb::c_contig, nb::device::cpu>>;
// Rows of (first, second).
using Pairs = Exact<nb::ndarray<const std::int32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>>;

using Ints = Vector<std::int32_t>;
using Longs = Vector<std::int64_t>;
using Floats = Vector<double>;

// A whole number: what Python counts with, and nothing that would have to be rounded.
template <std::integral T>
struct Whole {
    T value;

    operator T() const { return value; }
};
using Int = Whole<int>;
using Long = Whole<std::int64_t>;
using Seed = Whole<std::uint64_t>;

template <class T>
using Array = nb::ndarray<nb::numpy, T>;

[[noreturn]] inline void refuse(const std::string& fault) { throw std::invalid_argument(fault); }

// Hands a vector's memory to numpy without a copy.
template <class Values>
auto to_array(Values&& values, std::size_t columns = 0) {
    using T = typename Values::value_type;
    const std::size_t size = values.size();
    auto owned = std::make_unique<Values>(std::move(values));
    nb::capsule owner(owned.get(), [](void* p) noexcept { delete static_cast<Values*>(p); });
    T* data = owned.release()->data();
    if (columns > 0) {
        return Array<T>(data, {size / columns, columns}, owner);
    }
    return Array<T>(data, {size}, owner);
}

// The most numbers of one result; what is larger was mistyped.
inline constexpr std::size_t kMostNumbers = std::size_t{1} << 30;

// The submodule of what only tests and benchmarks call.
inline nb::module_ testing(const nb::module_& module) { return nb::borrow<nb::module_>(module.attr("testing")); }

// a * b * c, if a result may be that large.
inline std::size_t result_size(std::size_t a, std::size_t b, std::size_t c = 1) {
    if ((b > 0 && a > kMostNumbers / b) || (c > 0 && a * b > kMostNumbers / c)) {
        refuse("the result would hold more than 1073741824 numbers");
    }
    return a * b * c;
}

// Large pages for memory that will be filled, where the system has them: asking for every small page that is written to
// first would take as long as what the fastest kernels write there.
inline void prefer_large_pages(void* memory, std::size_t bytes) {
#ifdef MADV_HUGEPAGE
    constexpr std::size_t kLargePage = std::size_t{1} << 21;
    const auto begin = reinterpret_cast<std::uintptr_t>(memory);
    const std::uintptr_t first = (begin + kLargePage - 1) / kLargePage * kLargePage;
    const std::uintptr_t last = (begin + bytes) / kLargePage * kLargePage;
    if (first < last) {
        madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);  // a wish: it does no harm if it fails
    }
#else
    (void)memory;
    (void)bytes;
#endif
}

// Memory that a kernel fills completely; left as it is until then.
template <class T>
class Output {
public:
    // Not make_unique_for_overwrite, which libraries of macOS lack.
    explicit Output(std::size_t size) : data_(new T[size]) { prefer_large_pages(data_.get(), size * sizeof(T)); }
    T* data() { return data_.get(); }
    Array<T> to_array(std::initializer_list<std::size_t> shape) && {
        nb::capsule owner(data_.get(), [](void* p) noexcept { delete[] static_cast<T*>(p); });
        return Array<T>(data_.release(), shape, owner);
    }

private:
    std::unique_ptr<T[]> data_;
};

// Acquires the interpreter lock. Once the interpreter ends, Python 3.13 and earlier end a daemon thread that asks
// for it (pthread_exit), which C++ cannot survive: frames that throw nothing would abort the process. Such a thread
// waits until the process is gone instead, as it does in Python 3.14.
template <class Acquire>
auto acquire_lock(Acquire acquire) {
    try {
        return acquire();
    } catch (...) {
        for (;;) {
            pause();
        }
    }
}

// Whether Python wants to stop, as it does after Ctrl-C; its exception is set then.
inline bool wants_stop() {
    const PyGILState_STATE state = acquire_lock(PyGILState_Ensure);
    const bool stop = PyErr_CheckSignals() != 0;
    PyGILState_Release(state);
    return stop;
}

// Releases the interpreter lock for as long as it lives.
class Unlocked {
public:
    Unlocked() : thread_(PyEval_SaveThread()) {}
    ~Unlocked() {
        acquire_lock([this] { PyEval_RestoreThread(thread_); });
    }
    Unlocked(const Unlocked&) = delete;
    Unlocked& operator=(const Unlocked&) = delete;

private:
    PyThreadState* thread_;
};

// Runs work without the interpreter lock, and listens to signals meanwhile.
template <class Work>
auto unlocked(Work work) {
    const Unlocked released;
    Watch watch(wants_stop);
    return work();
}

}  // namespace kilter

namespace nanobind::detail {

template <class Given>
struct type_caster<kilter::Exact<Given>> {
    NB_TYPE_CASTER(kilter::Exact<Given>, make_caster<Given>::Name)

    bool from_python(handle source, std::uint32_t flags, cleanup_list* cleanup) noexcept {
        make_caster<Given> inner;
        const auto as_it_is = flags & ~static_cast<std::uint32_t>(cast_flags::convert);
        if (source.is_none() || !inner.from_python(source, as_it_is, cleanup)) {
            return false;
        }
        value.array = std::move(inner.value);
        return true;
    }
};

template <std::integral T>
struct type_caster<kilter::Whole<T>> {
    NB_TYPE_CASTER(kilter::Whole<T>, const_name("int"))

    bool from_python(handle source, std::uint32_t, cleanup_list*) noexcept {
        if (!PyIndex_Check(source.ptr())) {
            return false;
        }
        const object number = steal(PyNumber_Index(source.ptr()));
        return number.is_valid() ? read(number.ptr()) : failed();
    }

private:
    bool read(PyObject* number) noexcept {
        if constexpr (std::is_unsigned_v<T>) {
            const unsigned long long found = PyLong_AsUnsignedLongLong(number);
            if (found == static_cast<unsigned long long>(-1) && PyErr_Occurred() != nullptr) {
                return failed();
            }
            value.value = static_cast<T>(found);
            return found <= std::numeric_limits<T>::max();
        } else {
            int overflow = 0;
            const long long found = PyLong_AsLongLongAndOverflow(number, &overflow);
            value.value = static_cast<T>(found);
            return overflow == 0 && found >= std::numeric_limits<T>::min() && found <= std::numeric_limits<T>::max();
        }
    }
    static bool failed() noexcept {
        PyErr_Clear();
        return false;
    }
};

}  // namespace nanobind::detail
