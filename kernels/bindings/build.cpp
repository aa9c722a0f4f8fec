// How the extension was built, and which instructions it uses on this machine.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>

#include "../integer_product.hpp"

namespace nb = nanobind;

namespace kilter {
namespace {

#ifndef KILTER_REVISION
#define KILTER_REVISION ""
#endif

std::string compiler() {
#if defined(__clang__)
    return "clang " + std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__) + "." +
           std::to_string(__clang_patchlevel__);
#elif defined(__GNUC__)
    return "GCC " + std::to_string(__GNUC__) + "." + std::to_string(__GNUC_MINOR__) + "." +
           std::to_string(__GNUC_PATCHLEVEL__);
#else
    return "another compiler";
#endif
}

// The clone that multiversion.hpp lets the loader choose for wide loops.
std::string instructions() {
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(KILTER_SANITIZE)
    __builtin_cpu_init();
#if !defined(__clang__)
    if (__builtin_cpu_supports("x86-64-v4")) {
        return "x86-64-v4";
    }
    if (__builtin_cpu_supports("x86-64-v3")) {
        return "x86-64-v3";
    }
#elif __has_attribute(target_clones)
    if (__builtin_cpu_supports("avx2")) {
        return "x86-64 with AVX2";
    }
#endif
    return "x86-64";
#elif defined(__x86_64__)
    return "x86-64";
#elif defined(__aarch64__)
    return "AArch64";
#else
    return "those of the compiler's default";
#endif
}

std::string products() {
    switch (product_ways().back()) {
        case ProductWay::kAvx2:
            return "AVX2";
        case ProductWay::kVnni:
            return "AVX-512 VNNI";
        case ProductWay::kDot:
            return "dot products";
        case ProductWay::kPlain:
            break;
    }
    return "none of their own";
}

}  // namespace

void add_build(nb::module_& module) {
    module.def(
        "build_details",
        [] {
            nb::typed<nb::dict, nb::str, nb::str> details;
            details["revision"] = std::string(KILTER_REVISION);
            details["compiler"] = compiler();
            details["instructions"] = instructions();
            details["products"] = products();
            return details;
        },
        "Return the revision, the compiler, and the instructions of cloned kernels and of products of integers.");
}

}  // namespace kilter
