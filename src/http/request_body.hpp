#pragma once

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/core/buffer_traits.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/optional/optional.hpp>
#include <cstdint>
#include <string>

#include <sluice/error.hpp>

#include "http/body_budget.hpp"
#include "json/document.hpp"

namespace sluice::http {

/// A Beast body that keeps the bytes in a string with simdjson's padding to spare, or drops them
/// where the head of the request has already been refused.
struct RequestBody {
  struct value_type {
    std::string bytes;
    bool drop = false;
    BodyCharge charge;
  };

  class reader {
   public:
    template <bool isRequest, class Fields>
    reader(boost::beast::http::header<isRequest, Fields>&, value_type& value) : value_(value) {}

    void init(const boost::optional<std::uint64_t>& length, boost::beast::error_code& ec) {
      ec = {};
      // The parser has held the length against the limit; but a large one is believed only as it
      // comes.
      if (length && !value_.drop)
        value_.bytes.reserve(static_cast<std::size_t>(std::min<std::uint64_t>(*length, 64 * 1024)) +
                             json::kPadding);
    }
    template <class ConstBufferSequence>
    std::size_t put(const ConstBufferSequence& buffers, boost::beast::error_code& ec) {
      ec = {};
      std::size_t n = 0;
      for (const auto buffer : boost::beast::buffers_range_ref(buffers)) {
        n += buffer.size();
        if (value_.drop) continue;
        if (!value_.charge.add(buffer.size())) {
          ec = Errc::busy;
          return 0;
        }
        value_.bytes.append(static_cast<const char*>(buffer.data()), buffer.size());
      }
      return n;
    }
    void finish(boost::beast::error_code& ec) {
      ec = {};
      value_.bytes.reserve(value_.bytes.size() + json::kPadding);
    }

   private:
    value_type& value_;
  };
};

}  // namespace sluice::http
