// What the database consists of, as the steps it grew by: the numbered files of migrations/. A step
// that was released is never changed; a new one is added at the end.
#pragma once

#include <array>

namespace parlor::table_pg {

inline constexpr std::array migrations{
#include "table_pg/migrations/001_tables.sql"
    ,
#include "table_pg/migrations/002_nodes.sql"
};

}  // namespace parlor::table_pg
