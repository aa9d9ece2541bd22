#include "http/upstream.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <utility>

#include "base/check.hpp"
#include "http/upstream_tls.hpp"

namespace sluice::http {

Upstream::Upstream(const config::HttpSource& source, std::size_t loops)
    : source_(source), pools_(loops) {}

std::shared_ptr<Upstream> Upstream::make(const config::HttpSource& source, std::size_t loops,
                                         std::string& problem) {
  std::shared_ptr<Upstream> made(new Upstream(source, loops));
  auto url = UpstreamUrl::parse(source.base_url, problem);
  if (!url) return nullptr;
  made->url_ = std::move(*url);
  for (const auto& [name, value] : source.headers) {
    if (!is_field_name(name)) {
      problem = "\"" + name + "\" is not the name of a header field";
    } else if (is_own_field(name)) {
      problem = "the header field " + name + " is set by sluice itself";
    } else if (!is_field_value(value)) {
      problem = "the value of the header field " + name + " holds a control character";
    } else {
      continue;
    }
    return nullptr;
  }
  if (made->url_.tls) {
    made->tls_ = make_tls_context(source.tls, problem);
    if (!made->tls_) return nullptr;
  }
  return made;
}

Upstream::~Upstream() {
  for (auto& pool : pools_) {
    if (!pool) continue;
    const auto executor = pool->executor();
    boost::asio::post(executor, [closing = std::move(pool)] { closing->close(); });
  }
}

UpstreamPool& Upstream::pool(std::size_t loop, const boost::asio::any_io_executor& executor) {
  SLUICE_CHECK(loop < pools_.size());
  auto& pool = pools_[loop];
  if (!pool) {
    UpstreamPool::Options options;
    options.host = url_.host;
    options.port = url_.port;
    options.max = std::max<std::size_t>(source_.connections, 1);
    options.idle_timeout = source_.idle_timeout;
    pool = std::make_shared<UpstreamPool>(executor, std::move(options));
  }
  return *pool;
}

}  // namespace sluice::http
