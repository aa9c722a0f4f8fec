// The entry point of libFuzzer: hands its bytes to the target that KILTER_TARGET names.
#include "target.hpp"

namespace {

kilter::fuzz::Target chosen = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    const char* name = std::getenv("KILTER_TARGET");
    const auto& all = kilter::fuzz::targets();
    const auto found = all.find(name == nullptr ? "" : name);
    if (found == all.end()) {
        std::fprintf(stderr, "KILTER_TARGET must be one of:\n");
        for (const auto& [each, target] : all) {
            std::fprintf(stderr, "  %s\n", each.c_str());
        }
        std::exit(2);
    }
    chosen = found->second;
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    FuzzedDataProvider data(bytes, size);
    chosen(data);
    return 0;
}
