#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "support/child.hpp"
#include "support/temp_folder.hpp"

namespace sluice::testing {

/// The path of the program under test: $SLUICE_BINARY, else the one that was built beside the
/// tests.
[[nodiscard]] std::string sluice_binary();
/// The plug-in with the tools of tests/support/fixture.
[[nodiscard]] std::string fixture_plugin();
/// A library to preload, which counts calls into the kernel: see call_counter.hpp.
[[nodiscard]] std::string call_counter_library();
/// True where memory figures and the like mean nothing.
[[nodiscard]] bool is_sanitized() noexcept;

/// `sluice serve` with a configuration of its own in a folder of its own.
///
/// The YAML may say @DIR@ for that folder and @PLUGIN@ for the fixture plug-in. What it does not
/// say is added: `version`, and a `server` section that listens on any free port of 127.0.0.1.
class ServerProcess {
 public:
  struct Options {
    std::function<void(const TempFolder&)> prepare = {};  ///< Puts files into the folder.
    Child::Environment environment = {};
    std::vector<std::string> wrapper = {};  ///< A program, with arguments, that starts it.
    bool wait = true;                       ///< Until it serves.
  };

  explicit ServerProcess(std::string yaml) : ServerProcess(std::move(yaml), Options()) {}
  ServerProcess(std::string yaml, const Options& options);

  /// 0 where it does not serve.
  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
  [[nodiscard]] Child& child() noexcept { return *child_; }
  [[nodiscard]] const TempFolder& folder() const noexcept { return folder_; }
  [[nodiscard]] std::string log() { return child_->err(); }
  [[nodiscard]] ProcessCounts counts() const { return count(child_->pid()); }
  /// Waits for the line that says it serves; false where it ends before.
  [[nodiscard]] bool wait_serving();
  /// SIGTERM, and the exit status.
  [[nodiscard]] std::optional<int> stop();

 private:
  TempFolder folder_;
  std::unique_ptr<Child> child_;
  std::uint16_t port_ = 0;
};

/// The same for a configuration in text: writes it to `folder`, with the additions, and gives the
/// file's path.
[[nodiscard]] std::string write_configuration(const TempFolder& folder, std::string yaml);

}  // namespace sluice::testing
