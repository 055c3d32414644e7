// Where the sources of this build are, for tests that read files of the repository. A function of a
// library, not a macro of the compiler's command line: objects stay the same in every checkout.
#pragma once

#include <string>

namespace parlor::test {

std::string source_dir();

}  // namespace parlor::test

#define PARLOR_SOURCE_DIR (::parlor::test::source_dir())
