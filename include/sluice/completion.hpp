#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sluice/call.hpp>
#include <sluice/error.hpp>
#include <sluice/result_writer.hpp>

namespace sluice {

/// What there is to offer for the beginning of a value.
struct Completions {
  /// The most fitting first. The first 100 are sent.
  std::vector<std::string> values = {};
  /// How many there are in all, where more are known of than stand in `values`.
  std::optional<std::uint64_t> total = {};
  bool has_more = false;     ///< There are more, it is not known how many.
  std::string problem = {};  ///< Why there is nothing to offer, for the log; empty: all is well.
};

/// Offers values for one argument of a prompt, or one variable of a resource template.
///
/// Ownership: shared by the arguments that use it; outlives their requests.
/// Threads:   complete() is called on any loop, on several at once.
/// Errors:    a returned error or an exception makes an empty answer and a line in the log: somebody
///            is typing, and has no use for an error.
class Completer {
 public:
  Completer() = default;
  Completer(const Completer&) = delete;
  Completer& operator=(const Completer&) = delete;
  virtual ~Completer() = default;
  /// `value` is what has been typed so far; it is valid until the coroutine has ended.
  /// call.arguments() are the other arguments as far as they are known, an object of strings.
  [[nodiscard]] virtual Awaitable<Result<Completions>> complete(Call& call,
                                                                std::string_view value) = 0;
};

/// Offers those of `values` that begin with what was typed, then those that hold it elsewhere; case
/// counts for neither.
[[nodiscard]] std::shared_ptr<Completer> complete_from(std::vector<std::string> values);

}  // namespace sluice
