// Games that people send (off unless the settings say otherwise): compiled in a process of their
// own, kept in the archive, opened from what they were compiled to.
#pragma once

#include "host/host.h"
#include "server/check.h"

namespace parlor::server {

// Compiles a bundle apart and makes a row of it; diagnostics if it is no game, or too large a one.
tl::expected<host::UploadRow, Rejection> make_upload(const Bundle& bundle,
                                                     const std::string& program,
                                                     const std::string& owner,
                                                     const host::Random& random, host::Time now);
// What host::Games opens them with.
host::Games::OpenUpload upload_opener(const host::Archive& archive);

}  // namespace parlor::server
