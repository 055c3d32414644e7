#include "base/version.h"

const char* parlor_version() {
  return PARLOR_VERSION;
}
