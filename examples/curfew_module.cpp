// The curfew as a shared object that can be asked for by its name:
//
//   PARLOR_MODULES=build/modules parlor play texas-holdem --rules curfew
#include "curfew.h"

namespace parlor::examples {

class EarlyCurfew : public Curfew {
 public:
  EarlyCurfew() : Curfew(3, {"raise"}) {}
};

}  // namespace parlor::examples

PARLOR_MODULE(parlor::examples::EarlyCurfew)
