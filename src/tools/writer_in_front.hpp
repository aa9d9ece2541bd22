#pragma once

#include <string_view>

#include <sluice/result_writer.hpp>

namespace sluice::tools {

/// A writer in front of another one, which changes what passes: what is open is ended before
/// anything else goes on, and after a failure nothing does.
///
/// Ownership: borrows the other one.
/// Threads:   the call's loop.
class WriterInFront : public ResultWriter {
 public:
  [[nodiscard]] Awaitable<Result<>> link(ResourceLink link) final;
  [[nodiscard]] Awaitable<Result<>> raw_block(std::string_view json) final;
  /// What was written stays.
  [[nodiscard]] Awaitable<Result<>> fail(std::string_view message) final;
  [[nodiscard]] Awaitable<Result<>> not_found(std::string_view message) final;
  [[nodiscard]] bool takes_structured(char first_byte) const noexcept final {
    return out_.takes_structured(first_byte);
  }

 protected:
  explicit WriterInFront(ResultWriter& out) noexcept : out_(out) {}
  /// Ends what is open, which is not complete, ahead of a failure.
  [[nodiscard]] virtual Awaitable<Result<>> break_off() { return end(); }

  ResultWriter& out_;
  bool failed_ = false;
};

}  // namespace sluice::tools
