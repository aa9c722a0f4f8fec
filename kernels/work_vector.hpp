// Vectors for working space: large ones ask for huge pages, and growing them writes no zeros.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>
#include <vector>

#include "assert.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#elif defined(_WIN32)
#include <malloc.h>
#endif

namespace kilter {

// A million elements touch thousands of pages; with 4 kB pages their faults cost as much as the work.
template <class T>
struct WorkAllocator {
    using value_type = T;
    static constexpr std::size_t kHugePage = std::size_t{2} << 20;
    static constexpr std::size_t kMost = std::size_t{1} << 47;  // bytes: what a machine can address

    WorkAllocator() = default;
    template <class U>
    WorkAllocator(const WorkAllocator<U>&) {}

    T* allocate(std::size_t count) {
        if (count > kMost / sizeof(T)) {
            throw std::bad_alloc();
        }
        std::size_t bytes = count * sizeof(T);
        if (bytes < kHugePage) {
            return static_cast<T*>(::operator new(bytes));
        }
        bytes = (bytes + kHugePage - 1) / kHugePage * kHugePage;
#if defined(_WIN32)  // whose library has no aligned_alloc
        void* memory = _aligned_malloc(bytes, kHugePage);
#else
        void* memory = std::aligned_alloc(kHugePage, bytes);
#endif
        if (memory == nullptr) {
            throw std::bad_alloc();
        }
#if defined(__linux__)
        madvise(memory, bytes, MADV_HUGEPAGE);  // a hint: it may be refused without harm
#endif
        return static_cast<T*>(memory);
    }
    void deallocate(T* memory, std::size_t count) {
        if (count * sizeof(T) < kHugePage) {
            ::operator delete(memory);
        } else {
#if defined(_WIN32)
            _aligned_free(memory);
#else
            std::free(memory);
#endif
        }
    }
    // resize() leaves plain values as they are; whoever resizes fills them.
    template <class U>
    void construct(U* memory) {
        ::new (static_cast<void*>(memory)) U;
    }
    template <class U, class... Arguments>
    void construct(U* memory, Arguments&&... arguments) {
        ::new (static_cast<void*>(memory)) U(std::forward<Arguments>(arguments)...);
    }
    template <class U>
    bool operator==(const WorkAllocator<U>&) const {
        return true;
    }
};

// For vectors that begin where a line of the cache does: wide registers are then filled from one line each.
template <class T>
struct LineAllocator {
    using value_type = T;
    static constexpr std::align_val_t kLine{64};

    LineAllocator() = default;
    template <class U>
    LineAllocator(const LineAllocator<U>&) {}

    T* allocate(std::size_t count) {
        if (count > WorkAllocator<T>::kMost / sizeof(T)) {
            throw std::bad_alloc();
        }
        return static_cast<T*>(::operator new(count * sizeof(T), kLine));
    }
    void deallocate(T* memory, std::size_t) { ::operator delete(memory, kLine); }
    template <class U>
    bool operator==(const LineAllocator<U>&) const {
        return true;
    }
};

// A vector that takes signed positions and sizes as they are: they are signed wherever there is a -1 for "none".
template <class Base>
class SignedIndex : public Base {
public:
    using Base::Base;
    using Base::assign;
    using Base::resize;
    using Value = typename Base::value_type;

    SignedIndex() = default;
    template <std::integral Size>
    explicit SignedIndex(Size size) : Base(static_cast<std::size_t>(size)) {}
    template <std::integral Size>
    SignedIndex(Size size, const Value& value) : Base(static_cast<std::size_t>(size), value) {}

    template <std::integral Index>
    typename Base::reference operator[](Index index) {
        KILTER_ASSERT(static_cast<std::size_t>(index) < this->size());
        return Base::operator[](static_cast<std::size_t>(index));
    }
    template <std::integral Index>
    typename Base::const_reference operator[](Index index) const {
        KILTER_ASSERT(static_cast<std::size_t>(index) < this->size());
        return Base::operator[](static_cast<std::size_t>(index));
    }
    template <std::integral Size>
    void resize(Size size) {
        Base::resize(static_cast<std::size_t>(size));
    }
    template <std::integral Size>
    void assign(Size size, const Value& value) {
        Base::assign(static_cast<std::size_t>(size), value);
    }
    std::int64_t ssize() const { return static_cast<std::int64_t>(this->size()); }
};

template <class T>
using WorkVector = SignedIndex<std::vector<T, WorkAllocator<T>>>;
template <class T>
using PlainVector = SignedIndex<std::vector<T>>;

template <class T>
using LineVector = SignedIndex<std::vector<T, LineAllocator<T>>>;

}  // namespace kilter
