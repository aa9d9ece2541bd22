#pragma once

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <charconv>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "buffer/frame_pool.hpp"
#include "buffer/frame_writer.hpp"
#include "support/decode_response.hpp"
#include "support/memory_transport.hpp"
#include "support/run_awaitable.hpp"

namespace sluice::testing {

/// Heads that say what the writer decided; as long as heads may be, where asked.
class PlainHeads final : public HeadWriter {
 public:
  explicit PlainHeads(const bool& chunked) : chunked_(chunked) {}
  bool longest = false;
  std::size_t written = 0;

  std::size_t write_head(std::span<char, kMaxHead> out, const BodyDecision& body) override {
    ++written;
    const auto& length = body.length;
    std::string head = "HTTP/1.1 200 OK\r\nContent-Type: ";
    head += body.form == BodyForm::json ? "application/json" : "text/event-stream";
    if (body.coding != ContentCoding::identity)
      (head += "\r\nContent-Encoding: ") += name_of(body.coding);
    if (length) {
      head += "\r\nContent-Length: ";
      char digits[20];
      head.append(digits, std::to_chars(digits, digits + sizeof digits, *length).ptr);
    } else if (chunked_) {
      head += "\r\nTransfer-Encoding: chunked";
    }
    if (longest) {
      head += "\r\nX-Pad: ";
      head.append(kMaxHead - 4 - head.size(), 'x');
    }
    head += "\r\n\r\n";
    std::memcpy(out.data(), head.data(), head.size());
    return head.size();
  }

 private:
  const bool& chunked_;
};

/// A frame writer with everything it needs, and what came out of it.
struct ResponseBench {
  explicit ResponseBench(std::size_t frames = 64)
      : budget(frames * kFrameBytes),
        pool(budget),
        transport(io.get_executor()),
        heads(options.chunked),
        writer(transport, pool, heads) {}

  [[nodiscard]] bool start() { return writer.start(options); }
  /// Everything that is due on the loop, without waiting.
  void poll() {
    io.restart();
    io.poll();
  }
  [[nodiscard]] Response response() const { return decode_response(transport.bytes); }
  /// The JSON message of the response; the last event where it is a stream.
  [[nodiscard]] std::string message() const {
    const Response r = response();
    if (r.field("Content-Type") == "application/json") return r.body;
    const auto stream = decode_events(r.body);
    if (stream.events.empty()) throw std::runtime_error("no event");
    return stream.events.back();
  }

  boost::asio::io_context io;
  FrameBudget budget;
  FramePool pool;
  FrameWriter::Options options;
  MemoryTransport transport;
  PlainHeads heads;
  FrameWriter writer;
};

/// Writes `message` in pieces of at most `piece` bytes, without finish().
inline Awaitable<Result<>> produce(FrameWriter& writer, std::string_view message, std::size_t piece,
                                   std::size_t& most_frames) {
  while (!message.empty()) {
    auto room = writer.room();
    if (room.empty()) {
      const auto waited = co_await writer.wait_room();
      if (!waited) co_return waited;
      continue;
    }
    if (room.size() < FrameWriter::kMinRoom) throw std::logic_error("less room than promised");
    const std::size_t n = std::min({room.size(), message.size(), piece});
    std::memcpy(room.data(), message.data(), n);
    writer.commit(n);
    most_frames = std::max(most_frames, writer.frames_held());
    message.remove_prefix(n);
  }
  co_return Result<>{};
}

/// The same to the end of the response.
inline Awaitable<void> send(FrameWriter& writer, std::string_view message, std::size_t piece,
                            std::size_t& most_frames, Result<>& result) {
  const auto produced = co_await produce(writer, message, piece, most_frames);
  const auto finished = co_await writer.finish();
  if (!produced && finished) throw std::logic_error("an error that went away");
  result = produced ? finished : produced;
}

}  // namespace sluice::testing
