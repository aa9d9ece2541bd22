#include "support/server_process.hpp"

#include <signal.h>

#include <cstdlib>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SLUICE_TEST_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SLUICE_TEST_SANITIZED 1
#endif

namespace sluice::testing {
namespace {

std::string from_environment(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : otherwise;
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

bool has_key(const std::string& yaml, const std::string& key) {
  return yaml.starts_with(key + ":") || yaml.find("\n" + key + ":") != std::string::npos;
}

}  // namespace

std::string sluice_binary() { return from_environment("SLUICE_BINARY", SLUICE_BINARY); }
std::string fixture_plugin() {
  return from_environment("SLUICE_FIXTURE_PLUGIN", SLUICE_FIXTURE_PLUGIN);
}

std::string call_counter_library() { return SLUICE_COUNT_CALLS; }

bool is_sanitized() noexcept {
#ifdef SLUICE_TEST_SANITIZED
  return true;
#else
  return false;
#endif
}

std::string write_configuration(const TempFolder& folder, std::string yaml) {
  replace_all(yaml, "@DIR@", folder.path().string());
  replace_all(yaml, "@PLUGIN@", fixture_plugin());
  std::string whole;
  if (!has_key(yaml, "version")) whole += "version: 1\n";
  if (!has_key(yaml, "server")) whole += "server: { listen: \"127.0.0.1:0\" }\n";
  return folder.write("sluice.yaml", whole + yaml).string();
}

ServerProcess::ServerProcess(std::string yaml, const Options& options) {
  if (options.prepare) options.prepare(folder_);
  const std::string file = write_configuration(folder_, std::move(yaml));
  std::vector<std::string> argv = options.wrapper;
  for (const auto& word : {sluice_binary(), std::string("serve"), std::string("-c"), file})
    argv.push_back(word);
  child_ = std::make_unique<Child>(std::move(argv), options.environment);
  if (options.wait) static_cast<void>(wait_serving());
}

bool ServerProcess::wait_serving() {
  if (!child_->wait_err("serving ") || !child_->wait_err("/mcp\n")) return false;
  const std::string text = child_->err();
  const auto url = text.find("http://", text.find("serving "));
  if (url == std::string::npos) return false;
  const auto path = text.find('/', url + 7);
  const auto colon = text.rfind(':', path);
  port_ = static_cast<std::uint16_t>(std::atoi(text.c_str() + colon + 1));
  return true;
}

std::optional<int> ServerProcess::stop() {
  child_->signal(SIGTERM);
  return child_->wait();
}

}  // namespace sluice::testing
