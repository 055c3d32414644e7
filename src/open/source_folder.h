// Where Parlor was compiled, if what was built may know it: programs find the shipped games there.
#pragma once

namespace parlor::open {

const char* source_folder();  // null: it is not known

}  // namespace parlor::open
