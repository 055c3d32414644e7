#include "open/source_folder.h"

namespace parlor::open {

// The only object that holds a path of the machine it was compiled on, so it is small.
const char* source_folder() {
#ifdef PARLOR_SOURCE_DIR
  return PARLOR_SOURCE_DIR;
#else
  return nullptr;
#endif
}

}  // namespace parlor::open
