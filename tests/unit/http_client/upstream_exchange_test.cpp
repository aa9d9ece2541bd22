#include "http/upstream_exchange.hpp"

#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include "encode.hpp"
#include "fetch.hpp"

namespace sluice::http {
namespace {

using namespace sluice::testing;
using Reply = CannedUpstream::Reply;
using Then = CannedUpstream::Then;

TEST(UpstreamExchange, SendsWhatARequestNeedsAndNothingOfItsCaller) {
  CannedUpstream stub(canned("200 OK", "hi"));
  config::HttpSource source = Fetcher::source_at(stub.url("/api/"));
  source.headers = {{"Authorization", "Bearer s3cret"}, {"user-agent", "mine/1"}};
  Fetcher fetcher(source);
  EXPECT_EQ(fetcher.get("/v1/items?q=1").body, "hi");
  const auto request = stub.last();
  EXPECT_EQ(request.line(), "GET /api/v1/items?q=1 HTTP/1.1");
  EXPECT_EQ(request.field("Host"), "127.0.0.1:" + std::to_string(stub.port()));
  EXPECT_EQ(request.field("Accept-Encoding"), "gzip, deflate, br, zstd");
  EXPECT_EQ(request.field("Authorization"), "Bearer s3cret");
  EXPECT_EQ(request.field("User-Agent"), "mine/1");
  EXPECT_EQ(request.head.find("Content-Length"), std::string::npos);
}

TEST(UpstreamExchange, NamesItselfAndSaysThatAPostHasNoBody) {
  CannedUpstream stub(canned("200 OK", "hi"));
  Fetcher fetcher(Fetcher::source_at(stub.url()));
  EXPECT_EQ(fetcher.get("/", "POST").body, "hi");
  EXPECT_EQ(stub.last().field("User-Agent").substr(0, 7), "sluice/");
  EXPECT_EQ(stub.last().field("Content-Length"), "0");
}

TEST(UpstreamExchange, RepeatsAGetWhoseKeptConnectionDiesBeforeTheAnswer) {
  for (const Then then : {Then::close, Then::reset}) {
    CannedUpstream stub([then](const CannedUpstream::Request& r) {
      return r.number == 2 ? Reply{"", then} : Reply{canned("200 OK", "hi")};
    });
    Fetcher fetcher(Fetcher::source_at(stub.url()));
    EXPECT_EQ(fetcher.get().body, "hi");
    EXPECT_EQ(fetcher.get().body, "hi");
    EXPECT_EQ(stub.accepted(), 2);
    EXPECT_EQ(stub.requests().size(), 3u);
  }
}

TEST(UpstreamExchange, NeverRepeatsAPostThatMayHaveArrived) {
  CannedUpstream stub([](const CannedUpstream::Request& r) {
    return r.number == 2 ? Reply{"", Then::close} : Reply{canned("200 OK", "hi")};
  });
  Fetcher fetcher(Fetcher::source_at(stub.url()));
  EXPECT_EQ(fetcher.get("/", "POST", "a").body, "hi");
  EXPECT_EQ(fetcher.get("/", "POST", "b").problem,
            "upstream market closed the connection without an answer");
  EXPECT_EQ(stub.requests().size(), 2u);
}

TEST(UpstreamExchange, RepeatsOnceOnlyAndOnlyWhatWasKept) {
  CannedUpstream never(std::string(), Then::close);
  Fetcher fresh(Fetcher::source_at(never.url()));
  EXPECT_EQ(fresh.get().problem, "upstream market closed the connection without an answer");
  EXPECT_EQ(never.requests().size(), 1u);
  CannedUpstream once([](const CannedUpstream::Request& r) {
    return r.connection == 1 && r.number == 1 ? Reply{canned("200 OK", "hi")}
                                              : Reply{"", Then::close};
  });
  Fetcher fetcher(Fetcher::source_at(once.url()));
  EXPECT_EQ(fetcher.get().body, "hi");
  EXPECT_NE(fetcher.get().problem, "");
  EXPECT_EQ(once.requests().size(), 3u);
}

TEST(UpstreamExchange, DoesNotRepeatWhenAnAnswerHasBegun) {
  CannedUpstream stub([](const CannedUpstream::Request& r) {
    return r.number == 2 ? Reply{"HTTP/1.1 2", Then::close} : Reply{canned("200 OK", "hi")};
  });
  Fetcher fetcher(Fetcher::source_at(stub.url()));
  EXPECT_EQ(fetcher.get().body, "hi");
  EXPECT_NE(fetcher.get().problem, "");
  EXPECT_EQ(stub.requests().size(), 2u);
}

TEST(UpstreamExchange, TakesAnAnswerThatComesBeforeTheBodyIsSent) {
  CannedUpstream stub([](const CannedUpstream::Request&) {
    return Reply{canned("413 Too Large", "no"), Then::close};
  });
  Fetcher fetcher(Fetcher::source_at(stub.url()));
  EXPECT_EQ(fetcher.get("/", "POST", std::string(100'000, 'x')).status, 413u);
}

TEST(UpstreamExchange, SaysThatNobodyListens) {
  std::string url;
  {
    CannedUpstream stub{std::string()};
    url = stub.url();
  }
  Fetcher fetcher(Fetcher::source_at(url));
  EXPECT_EQ(fetcher.get().problem, "upstream market cannot be reached: Connection refused");
  EXPECT_EQ(fetcher.pool().leased(), 0u);
}

TEST(UpstreamExchange, SaysThatAHostIsNotKnown) {
  Fetcher fetcher(Fetcher::source_at("http://no-such-host.invalid"));
  const Fetched got = fetcher.get();
  EXPECT_NE(got.problem.find("upstream market cannot be reached: its host name "),
            std::string::npos)
      << got.problem;
  EXPECT_EQ(got.problem.find("invalid"), std::string::npos);
}

TEST(UpstreamExchange, FindsLocalhostByName) {
  CannedUpstream stub(canned("200 OK", "hi"));
  Fetcher fetcher(Fetcher::source_at(stub.url("", "localhost")));
  EXPECT_EQ(fetcher.get().body, "hi");
  EXPECT_EQ(stub.last().field("Host"), "localhost:" + std::to_string(stub.port()));
}

TEST(UpstreamExchange, GivesUpWhenTheSourcesTimeIsUp) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "upstream market did not answer within its timeout of 100ms"},
      {"HTTP/1.1 200 OK\r\nContent-", "upstream market did not answer within its timeout of 100ms"},
      {"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
       "did not finish within its timeout of 100ms; 3 of 10 bytes came"},
  };
  for (const auto& [bytes, problem] : cases) {
    CannedUpstream stub(bytes, Then::hold);
    config::HttpSource source = Fetcher::source_at(stub.url());
    source.timeout = std::chrono::milliseconds(100);
    Fetcher fetcher(source);
    const Fetched got = fetcher.get();
    EXPECT_NE(got.problem.find(problem), std::string::npos) << got.problem;
    EXPECT_TRUE(stub.wait_ended(1));
    EXPECT_EQ(fetcher.frames.in_use(), 0u);
    EXPECT_EQ(fetcher.pool().leased(), 0u);
  }
}

TEST(UpstreamExchange, HoldsNoFrameWhileTheUpstreamIsSilent) {
  CannedUpstream stub(std::string(), Then::hold);
  boost::asio::cancellation_signal cancel;
  Fetcher fetcher(Fetcher::source_at(stub.url()));
  UpstreamRequest request;
  Fetched got;
  bool done = false;
  boost::asio::co_spawn(
      fetcher.io, fetcher.fetch(request, got),
      boost::asio::bind_cancellation_slot(cancel.slot(), [&](std::exception_ptr) { done = true; }));
  run_until(fetcher.io, [&] { return !stub.requests().empty(); });
  fetcher.io.poll();
  EXPECT_EQ(fetcher.budget.used(), 0u);
  cancel.emit(boost::asio::cancellation_type::terminal);
  run_until(fetcher.io, [&] { return done; });
  EXPECT_TRUE(stub.wait_ended(1));
}

TEST(UpstreamExchange, SaysThatFramesAreUsedUp) {
  CannedUpstream stub(canned("200 OK", "hi"));
  Fetcher fetcher(Fetcher::source_at(stub.url()));
  std::vector<Frame> all;
  while (Frame frame = fetcher.frames.take()) all.push_back(std::move(frame));
  EXPECT_NE(fetcher.get().problem.find("limits.frames"), std::string::npos);
  all.clear();
  EXPECT_EQ(fetcher.get().body, "hi");
}

TEST(UpstreamExchange, ClosesTheConnectionWhereverItIsCancelled) {
  // The client is stopped after each number of steps of its loop, until it gets through.
  CannedUpstream stub([](const CannedUpstream::Request&) {
    return Reply{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
                 Then::keep};
  });
  bool is_through = false;
  for (int steps = 1; !is_through && steps < 500; ++steps) {
    boost::asio::cancellation_signal
        cancel;  // a post of co_spawn's still uses it behind the end of the work
    Fetcher fetcher(Fetcher::source_at(stub.url("", "localhost")));
    UpstreamRequest request;
    Fetched got;
    bool done = false;
    bool threw = false;
    boost::asio::co_spawn(
        fetcher.io, fetcher.fetch(request, got),
        boost::asio::bind_cancellation_slot(cancel.slot(), [&](std::exception_ptr e) {
          done = true;
          threw = e != nullptr;
        }));
    for (int i = 0; i < steps && !done; ++i) fetcher.io.run_one_for(std::chrono::seconds(20));
    is_through = done;
    cancel.emit(boost::asio::cancellation_type::terminal);
    run_until(fetcher.io, [&] { return done; });
    EXPECT_EQ(fetcher.frames.in_use(), 0u);
    EXPECT_EQ(fetcher.pool().leased(), 0u);
    if (threw || !got.problem.empty()) {
      EXPECT_EQ(fetcher.pool().idle(), 0u) << steps;
    } else {
      EXPECT_EQ(got.body, "hi");
    }
  }
  EXPECT_TRUE(is_through);
}

TEST(UpstreamExchange, DecodesAndPutsTextIntoUtf8) {
  CannedUpstream stub(
      canned("200 OK", gzip_of("caf\xE9"),
             "Content-Encoding: gzip\r\nContent-Type: text/plain; charset=iso-8859-1\r\n"));
  Fetcher fetcher(Fetcher::source_at(stub.url()));
  EXPECT_EQ(fetcher.get().body, "caf\xC3\xA9");
}

TEST(UpstreamExchange, DropsAByteOrderMarkOfAnyCharset) {
  for (const auto& [type, bytes] : std::vector<std::pair<std::string, std::string>>{
           {"text/plain", "\xEF\xBB\xBFhi"},
           {"text/plain; charset=utf-16", std::string("\xFF\xFEh\0i\0", 6)},
           {"text/plain; charset=utf-16le", std::string("\xFF\xFEh\0i\0", 6)}}) {
    CannedUpstream stub([&](const CannedUpstream::Request&) {
      return Reply{canned("200 OK", bytes, "Content-Type: " + type + "\r\n"), Then::keep, 0, true};
    });
    Fetcher fetcher(Fetcher::source_at(stub.url()));
    EXPECT_EQ(fetcher.get().body, "hi") << type;
  }
}

TEST(UpstreamExchange, LeavesBytesThatAreNoTextAlone) {
  CannedUpstream stub(
      canned("200 OK", "\xEF\xBB\xBF\xE9", "Content-Type: image/png; charset=iso-8859-1\r\n"));
  Fetcher fetcher(Fetcher::source_at(stub.url()));
  Fetched got;
  UpstreamRequest request;
  run(fetcher.io, fetcher.fetch(request, got, UpstreamExchange::BodyAs::bytes));
  EXPECT_EQ(got.body, "\xEF\xBB\xBF\xE9");
}

TEST(UpstreamExchange, NamesACharsetThatItDoesNotKnow) {
  CannedUpstream stub(canned("200 OK", "x", "Content-Type: text/plain; charset=klingon\r\n"));
  Fetcher fetcher(Fetcher::source_at(stub.url()));
  EXPECT_NE(fetcher.get().problem.find("klingon"), std::string::npos);
  EXPECT_EQ(fetcher.frames.in_use(), 0u);
  EXPECT_EQ(fetcher.pool().leased(), 0u);
}

TEST(UpstreamExchange, KeepsTheConnectionAcrossARedirect) {
  CannedUpstream stub([](const CannedUpstream::Request& r) {
    return r.number == 1 ? Reply{canned("302 Found", "elsewhere", "Location: /there\r\n")}
                         : Reply{canned("200 OK", r.line())};
  });
  Fetcher fetcher(Fetcher::source_at(stub.url()));
  EXPECT_EQ(fetcher.get().body, "GET /there HTTP/1.1");
  EXPECT_EQ(stub.accepted(), 1);
}

TEST(UpstreamExchange, DoesNotReadALongBodyOfARedirect) {
  CannedUpstream stub([](const CannedUpstream::Request& r) {
    return r.connection == 1 ? Reply{"HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 100000000\r\n\r\n",
                                     Then::keep, 100'000'000}
                             : Reply{canned("200 OK", "hi")};
  });
  Fetcher fetcher(Fetcher::source_at(stub.url()));
  EXPECT_EQ(fetcher.get().body, "hi");
  EXPECT_TRUE(stub.wait_ended(1));
  EXPECT_LT(stub.sent(), 20'000'000u);
}

}  // namespace
}  // namespace sluice::http
