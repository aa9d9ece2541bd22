#pragma once

#include <cstddef>
#include <vector>

#include "load_options.hpp"

namespace load {

/// Event streams that are open and idle while calls are measured: of legacy sessions (GET), or of
/// listeners.
class IdleStreams {
 public:
  IdleStreams() = default;
  IdleStreams(const IdleStreams&) = delete;
  IdleStreams& operator=(const IdleStreams&) = delete;
  ~IdleStreams();

  /// Opens as many as the options say, so many to a session. Throws Failure.
  void open(const Options& options);
  /// How many the server has not closed.
  [[nodiscard]] std::size_t still_open() const;

 private:
  std::vector<int> sockets_;
};

}  // namespace load
