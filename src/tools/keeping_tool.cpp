#include <boost/asio/this_coro.hpp>
#include <exception>
#include <utility>

#include "mcp/parked_results.hpp"
#include "tools/factory.hpp"
#include "tools/notice.hpp"
#include "tools/page_cursor.hpp"
#include "tools/pages.hpp"
#include "tools/parking_writer.hpp"
#include "tools/part_reader.hpp"

namespace sluice::tools {
namespace {

namespace asio = boost::asio;

/// Keeps the large results of another handler, and gives their pages where it is asked for them.
///
/// Ownership: owns that handler; the limits outlive it.
/// Threads:   immutable, any.
class KeepingTool final : public ToolHandler {
 public:
  KeepingTool(config::Keeping keeping, const config::Limits& limits,
              std::unique_ptr<ToolHandler> handler)
      : keeping_(std::move(keeping)), limits_(limits), handler_(std::move(handler)) {}

  Awaitable<Result<>> run(Call& base, ResultWriter& out) override {
    mcp::InnerCall& call = mcp::inner(base);
    if (call.parked() == nullptr) {
      const auto done = co_await handler_->run(call, out);
      co_return done;
    }
    if (keeping_.paging) {
      const auto place = open_cursor(call);
      if (!place) {
        const auto told = co_await out.fail(cursor_problem(place.error()));
        co_return told;
      }
      if (!place->empty()) {
        const auto given = co_await give_page(call, *place, out);
        co_return given;
      }
    }
    const auto done = co_await run_and_keep(call, out);
    co_return done;
  }

 private:
  Awaitable<Result<>> run_and_keep(mcp::InnerCall& call, ResultWriter& out) {
    ParkingWriter parking(call, out, keeping_, limits_);
    Result<> done;
    std::exception_ptr thrown;
    try {
      const auto returned = co_await handler_->run(call, parking);
      done = returned;
    } catch (...) {
      thrown = std::current_exception();
    }
    // What it has written is still to be given where its time is over; else nobody waits for it.
    const auto why = call.stopped_by();
    if (why && why != Errc::deadline && why != Errc::shutting_down) {
      if (thrown) std::rethrow_exception(thrown);
      co_return done;
    }
    if (why) {
      co_await asio::this_coro::throw_if_cancelled(false);
      co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    }
    if (why == Errc::shutting_down) parking.keep_no_more("the server shuts down");
    const bool is_whole = !why && !thrown && done;
    auto ending = is_whole ? parking.end() : parking.break_off();
    const auto ended = co_await std::move(ending);
    if (thrown) std::rethrow_exception(thrown);
    // A source that was stopped because there is no room for more says that it was.
    if (!done && !parking.is_stopped()) co_return done;
    co_return ended;
  }

  Awaitable<Result<>> give_page(mcp::InnerCall& call, std::string_view place, ResultWriter& out) {
    const config::Paging& paging = *keeping_.paging;
    const auto table = page_table(paging, limits_);
    Part page = first_page(paging, table);
    std::string id;
    const auto parked = read_place(place, page, id) ? call.parked()->find(id, call.caller())
                                                    : std::shared_ptr<const mcp::ParkedResult>();
    if (!parked) {
      const auto told = co_await out.fail(
          "What the cursor points into is not kept any more. Call the tool without it to begin "
          "anew.");
      co_return told;
    }
    PartReader reader(call, KeptBytes::of(*parked), page, limits_);
    const Block block;
    const auto given = co_await reader.give_block(block, out);
    if (!given || reader.has_failed()) co_return given;
    std::string notice = reader.losses();
    append_sentence(notice, reader.is_last() ? "This is the last page."
                                             : what_follows(call, *parked, paging, reader));
    const auto told = co_await tell(out, notice);
    co_return told;
  }

  const config::Keeping keeping_;
  const config::Limits& limits_;
  const std::unique_ptr<ToolHandler> handler_;
};

}  // namespace

std::unique_ptr<ToolHandler> make_keeping_tool(config::Keeping keeping,
                                               const config::Limits& limits,
                                               std::unique_ptr<ToolHandler> handler) {
  return std::make_unique<KeepingTool>(std::move(keeping), limits, std::move(handler));
}

}  // namespace sluice::tools
