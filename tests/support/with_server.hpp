#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "support/mcp_client.hpp"
#include "support/server_process.hpp"

namespace sluice::testing {

/// One server for all tests of a suite, from Suite::yaml() and Suite::prepare(). It must live
/// through all of them and end with status 0, which in a sanitizer build says that nothing was
/// found.
template <class Suite>
class WithServer : public ::testing::Test {
 public:
  static void SetUpTestSuite() {
    server_ = std::make_unique<ServerProcess>(Suite::yaml(),
                                              ServerProcess::Options{.prepare = Suite::prepare});
    ASSERT_NE(server_->port(), 0) << server_->log();
  }
  static void TearDownTestSuite() {
    EXPECT_EQ(server_->stop(), 0) << server_->log();
    server_.reset();
  }
  static void prepare(const TempFolder&) {}

 protected:
  void SetUp() override { ASSERT_TRUE(server_->child().is_running()) << server_->log(); }
  void TearDown() override { EXPECT_TRUE(server_->child().is_running()) << server_->log(); }

  [[nodiscard]] static ServerProcess& server() { return *server_; }
  [[nodiscard]] static std::uint16_t port() { return server_->port(); }
  [[nodiscard]] static Reply send(const Request& request) { return exchange(port(), request); }
  [[nodiscard]] static RawClient connect() { return RawClient(port()); }
  /// An ordinary call works.
  static void expect_alive() {
    const Reply reply = send(modern_call("echo", R"({"text":"still here"})"));
    EXPECT_EQ(reply.content(), "still here") << reply.http.head << reply.http.body;
  }

 private:
  static inline std::unique_ptr<ServerProcess> server_;
};

}  // namespace sluice::testing
