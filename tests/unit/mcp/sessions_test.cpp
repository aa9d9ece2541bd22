#include "mcp/sessions.hpp"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <set>
#include <string>
#include <vector>

#include <sluice/error.hpp>

#include "json/document.hpp"

namespace sluice::mcp {
namespace {

using std::chrono::milliseconds;

/// Something that runs on a loop and notes that it was stopped.
struct Running final : Stopper::Target {
  explicit Running(boost::asio::io_context& io)
      : stopper(std::make_shared<Stopper>(io.get_executor(), *this)) {}
  void on_stop(boost::system::error_code why) override {
    ++stops;
    last = why;
  }
  std::shared_ptr<Stopper> stopper;
  int stops = 0;
  boost::system::error_code last;
};

/// Tables that come one after the other, or stand side by side, and have the same key.
struct Tables {
  Sealer sealer{{SealingKey::random()}};
  SessionTable::Options options{
      .max = 10, .idle = std::chrono::hours(1), .life = std::chrono::hours(24), .deleted = 10};

  SessionTable make() const& { return SessionTable(sealer, options); }
  SessionTable make() && = delete;
};

ClientCapabilities capabilities(std::string_view json) {
  json::Document document;
  return ClientCapabilities(*document.parse_copy(json));
}

TEST(SessionTable, GivesIdsThatAreAllDifferentAndFoundAgain) {
  Tables tables;
  tables.options.max = 1000;
  auto table = tables.make();
  std::set<std::string> ids;
  for (int i = 0; i < 1000; ++i) {
    const auto session = table.create(kNewestLegacy, {});
    ASSERT_NE(session, nullptr);
    const auto found = table.find(session->id());
    ASSERT_TRUE(found);
    EXPECT_EQ(*found, session);
    ids.insert(session->id());
  }
  EXPECT_EQ(ids.size(), 1000U);
  for (const char* id : {"made-up", ""}) EXPECT_EQ(table.find(id).error(), Errc::forged);
}

TEST(SessionTable, GivesIdsThatFitAHeaderWhateverTheClientDeclares) {
  const Tables tables;
  auto table = tables.make();
  const std::string all =
      R"({"elicitation":{"form":{},"url":{}},"sampling":{"tools":{},"context":{}},"roots":{"listChanged":true},"tasks":{"list":{},"cancel":{}},"experimental":{"a":{},"b":{},"c":{}},"x":{")" +
      std::string(500, 'y') +
      R"(":{}},"extensions":{"io.modelcontextprotocol/tasks":{},"io.modelcontextprotocol/ui":{}}})";
  for (const std::string& declared : {std::string("{}"), all}) {
    const auto session = table.create(kNewestLegacy, capabilities(declared));
    EXPECT_LE(session->id().size(), 256U);
    for (const char c : session->id()) EXPECT_TRUE(c > ' ' && c < 0x7f);
  }
}

TEST(SessionTable, MakesASessionAgainFromItsId) {
  Tables tables;
  std::string id;
  {
    auto before = tables.make();
    const auto session =
        before.create(*find_revision("2025-06-18"),
                      capabilities(R"({"elicitation":{},"roots":{},"x":{"y":{}}})"));
    session->set_log_level(LogLevel::error);
    id = session->id();
  }
  auto after = tables.make();
  const auto again = after.find(id);
  ASSERT_TRUE(again);
  EXPECT_EQ((*again)->id(), id);
  EXPECT_EQ((*again)->revision().name, "2025-06-18");
  for (const char* name : {"elicitation", "elicitation.form", "roots", "x", "x.y"})
    EXPECT_TRUE((*again)->capabilities().has(name)) << name;
  for (const char* name : {"sampling", "elicitation.url", "roots.listChanged", "y"})
    EXPECT_FALSE((*again)->capabilities().has(name)) << name;
  EXPECT_EQ((*again)->log_level(), LogLevel::debug) << "which is not in the id";
  EXPECT_EQ(*after.find(id), *again) << "it is made once";
}

TEST(SessionTable, KnowsNoIdOfAnotherKeyAndNothingElseThatIsSealed) {
  Tables ours;
  Tables theirs;
  auto table = ours.make();
  EXPECT_EQ(table.find(theirs.make().create(kNewestLegacy, {})->id()).error(), Errc::forged);
  const auto later = Sealer::now() + std::chrono::hours(1);
  EXPECT_EQ(table.find(ours.sealer.seal("other", "2025-11-25 0", later)).error(), Errc::forged);
  for (const char* text : {"", "2025-11-25", "2026-07-28 0", "1999-01-01 0"})
    EXPECT_EQ(table.find(ours.sealer.seal("session", text, later)).error(), Errc::forged) << text;
}

TEST(SessionTable, DropsTheSessionUnusedForLongestWhereThereIsNoPlaceLeft) {
  Tables tables;
  tables.options.max = 2;
  auto table = tables.make();
  const auto first = table.create(kNewestLegacy, {});
  const auto second = table.create(kNewestLegacy, {});
  EXPECT_EQ(*table.find(first->id()), first);  // a use
  const auto third = table.create(kNewestLegacy, {});
  ASSERT_NE(third, nullptr);
  EXPECT_EQ(table.size(), 2U);
  EXPECT_EQ(*table.find(first->id()), first);
  EXPECT_NE(*table.find(second->id()), second) << "made again";
  EXPECT_EQ(table.size(), 2U);
}

TEST(SessionTable, DropsNoSessionThatIsBusy) {
  boost::asio::io_context io;
  Tables tables;
  tables.options.max = 1;
  auto table = tables.make();
  const std::string other = tables.make().create(kNewestLegacy, {})->id();
  const auto first = table.create(kNewestLegacy, {});
  Running call(io);
  ASSERT_TRUE(first->add_call("1", call.stopper));
  EXPECT_EQ(table.create(kNewestLegacy, {}), nullptr);
  EXPECT_EQ(table.find(other).error(), Errc::busy) << "it is known, there is no place for it";
  EXPECT_TRUE(table.erase(first->id()));
  EXPECT_FALSE(table.erase(first->id()));
  EXPECT_NE(table.create(kNewestLegacy, {}), nullptr);
}

TEST(SessionTable, KnowsADeletedIdNoMore) {
  Tables tables;
  auto table = tables.make();
  const auto session = table.create(kNewestLegacy, {});
  const std::string elsewhere = tables.make().create(kNewestLegacy, {})->id();
  EXPECT_TRUE(table.erase(session->id()));
  EXPECT_TRUE(table.erase(elsewhere)) << "also what it has never seen";
  for (const auto& id : {session->id(), elsewhere}) {
    EXPECT_EQ(table.find(id).error(), Errc::forged);
    EXPECT_FALSE(table.erase(id));
  }
  EXPECT_FALSE(table.erase("made-up"));
}

TEST(SessionTable, ForgetsADeletionWhereThereAreTooMany) {
  Tables tables;
  tables.options.deleted = 2;
  auto table = tables.make();
  std::vector<std::string> ids;
  for (int i = 0; i < 3; ++i) {
    ids.push_back(table.create(kNewestLegacy, {})->id());
    EXPECT_TRUE(table.erase(ids.back()));
  }
  int known = 0;
  for (const auto& id : ids) known += table.find(id) ? 1 : 0;
  EXPECT_EQ(known, 1);
}

TEST(SessionTable, KnowsNoIdThatHasExpired) {
  Tables tables;
  tables.options.life = milliseconds(-1000);
  auto table = tables.make();
  const auto session = table.create(kNewestLegacy, {});
  EXPECT_EQ(table.find(session->id()).error(), Errc::expired);
  EXPECT_FALSE(table.erase(session->id()));
}

TEST(Session, TakesNothingNewOnceItHasEnded) {
  boost::asio::io_context io;
  const Tables tables;
  auto table = tables.make();
  const auto session = table.create(kNewestLegacy, {});
  session->close();
  Running late(io);
  EXPECT_FALSE(session->add_call("1", late.stopper));
  EXPECT_FALSE(session->add_stream({late.stopper}, 8));
}

TEST(SessionTable, DropsASessionThatWasIdleForTooLongAndMakesItAgain) {
  Tables tables;
  tables.options.idle = milliseconds(-1);  // any time is too long
  auto table = tables.make();
  const auto session = table.create(kNewestLegacy, {});
  table.sweep();
  EXPECT_EQ(table.size(), 0U);
  const auto again = table.find(session->id());
  ASSERT_TRUE(again);
  EXPECT_NE(*again, session);
  EXPECT_NE(*table.find(session->id()), *again) << "idle again, and not swept yet";
}

TEST(SessionTable, KeepsASessionThatIsBusy) {
  boost::asio::io_context io;
  Tables tables;
  tables.options.idle = milliseconds(-1);
  auto table = tables.make();
  const auto session = table.create(kNewestLegacy, {});
  Running call(io);
  ASSERT_TRUE(session->add_call("1", call.stopper));
  table.sweep();
  EXPECT_EQ(*table.find(session->id()), session);
  session->remove_call("1", call.stopper.get());
  Running stream(io);
  ASSERT_TRUE(session->add_stream({stream.stopper}, 1));
  table.sweep();
  EXPECT_EQ(*table.find(session->id()), session);
  session->remove_stream(stream.stopper.get());
  table.sweep();
  EXPECT_EQ(table.size(), 0U);
}

TEST(SessionTable, IsNotKeptBusyByAStreamThatIsGone) {
  boost::asio::io_context io;
  const Tables tables;
  auto table = tables.make();
  const auto session = table.create(kNewestLegacy, {});
  {
    Running stream(io);
    ASSERT_TRUE(session->add_stream({stream.stopper}, 1));
    EXPECT_FALSE(session->add_stream({stream.stopper}, 1));
  }
  Running other(io);
  EXPECT_TRUE(session->add_stream({other.stopper}, 1));
  session->remove_stream(other.stopper.get());
  EXPECT_FALSE(session->is_busy());
}

TEST(Session, CancelsTheCallsOfThatIdAndNoOthers) {
  boost::asio::io_context io;
  const Tables tables;
  auto table = tables.make();
  const auto session = table.create(kNewestLegacy, {});
  Running number(io);
  Running again(io);
  Running text(io);
  ASSERT_TRUE(session->add_call("1", number.stopper));
  ASSERT_TRUE(session->add_call("1", again.stopper));
  ASSERT_TRUE(session->add_call("\"1\"", text.stopper));
  EXPECT_FALSE(session->cancel("2"));
  EXPECT_TRUE(session->cancel("1"));
  EXPECT_EQ(number.stops, 0) << "stops on its own loop, not on ours";
  io.run();
  EXPECT_EQ(number.stops, 1);
  EXPECT_EQ(number.last, make_error_code(Errc::cancelled));
  EXPECT_EQ(again.stops, 1);
  EXPECT_EQ(text.stops, 0);
  session->remove_call("1", number.stopper.get());
  EXPECT_TRUE(session->cancel("1")) << "the other one is still there";
  session->remove_call("1", again.stopper.get());
  EXPECT_FALSE(session->cancel("1"));
}

/// Somebody who asks, and what is answered.
struct Asker final : Mailbox::Owner {
  explicit Asker(boost::asio::io_context& io)
      : mailbox(std::make_shared<Mailbox>(io.get_executor(), *this)) {}
  void on_response(std::string_view id, std::string response) override {
    came.emplace_back(id, std::move(response));
  }
  std::shared_ptr<Mailbox> mailbox;
  std::vector<std::pair<std::string, std::string>> came;
};

TEST(Session, HandsAResponseOnToWhoeverAsksAndOnlyOnce) {
  boost::asio::io_context io;
  const Tables tables;
  auto table = tables.make();
  const auto session = table.create(kNewestLegacy, {});
  const auto other = table.create(kNewestLegacy, {});
  Asker asker(io);
  session->add_question("a", asker.mailbox);
  session->add_question("b", asker.mailbox);
  EXPECT_FALSE(other->answer("a", "{}")) << "it was asked in another session";
  EXPECT_FALSE(session->answer("c", "{}"));
  EXPECT_TRUE(session->answer("b", "{1}"));
  EXPECT_FALSE(session->answer("b", "{2}"));
  session->remove_question("a");
  EXPECT_FALSE(session->answer("a", "{3}")) << "it is late";
  EXPECT_TRUE(asker.came.empty()) << "it arrives on the asker's loop, not on ours";
  io.run();
  ASSERT_EQ(asker.came.size(), 1U);
  EXPECT_EQ(asker.came[0], (std::pair<std::string, std::string>("b", "{1}")));
}

TEST(Session, HandsNothingToWhoIsGone) {
  boost::asio::io_context io;
  const Tables tables;
  auto table = tables.make();
  const auto session = table.create(kNewestLegacy, {});
  Asker left(io);
  session->add_question("a", left.mailbox);
  EXPECT_TRUE(session->answer("a", "{}"));
  left.mailbox->detach();
  io.run();
  EXPECT_TRUE(left.came.empty());
  {
    Asker gone(io);
    session->add_question("b", gone.mailbox);
  }
  EXPECT_FALSE(session->answer("b", "{}"));
}

TEST(Session, StopsWhatRunsInItWhenItEnds) {
  boost::asio::io_context io;
  const Tables tables;
  auto table = tables.make();
  const auto session = table.create(kNewestLegacy, {});
  Running call(io);
  Running stream(io);
  ASSERT_TRUE(session->add_call("1", call.stopper));
  ASSERT_TRUE(session->add_stream({stream.stopper}, 8));
  EXPECT_TRUE(table.erase(session->id()));
  EXPECT_EQ(table.size(), 0U);
  io.run();
  EXPECT_EQ(call.stops, 1);
  EXPECT_EQ(stream.stops, 1);
}

TEST(Stopper, DoesNothingOnceDetached) {
  boost::asio::io_context io;
  Running call(io);
  call.stopper->stop(Errc::cancelled);
  call.stopper->detach();
  io.run();
  EXPECT_EQ(call.stops, 0);
}

}  // namespace
}  // namespace sluice::mcp
