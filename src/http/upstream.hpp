#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/ssl/context.hpp>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "config/config.hpp"
#include "http/upstream_pool.hpp"
#include "http/upstream_request.hpp"
#include "http/upstream_url.hpp"

namespace sluice::http {

/// An HTTP source: where it is, how it is spoken to, and its connections, a pool for each loop.
///
/// Ownership: shared by the tools of the source. May die on any thread; its idle connections are
///            then closed on their loops, whose contexts outlive it.
/// Threads:   what is const, any; pool(i), loop i only.
class Upstream {
 public:
  /// Null, and `problem` says what the operator has to mend.
  [[nodiscard]] static std::shared_ptr<Upstream> make(const config::HttpSource& source,
                                                      std::size_t loops, std::string& problem);
  ~Upstream();
  Upstream(const Upstream&) = delete;
  Upstream& operator=(const Upstream&) = delete;

  /// The pool of a loop, made when first asked for. REQUIRES: called on that loop, whose executor
  /// is given.
  [[nodiscard]] UpstreamPool& pool(std::size_t loop, const boost::asio::any_io_executor& executor);

  [[nodiscard]] const config::HttpSource& source() const noexcept { return source_; }
  [[nodiscard]] const UpstreamUrl& url() const noexcept { return url_; }
  /// Null where the source is not https.
  [[nodiscard]] boost::asio::ssl::context* tls() const noexcept { return tls_.get(); }

 private:
  Upstream(const config::HttpSource& source, std::size_t loops);

  const config::HttpSource source_;
  UpstreamUrl url_;
  std::unique_ptr<boost::asio::ssl::context> tls_;
  std::vector<std::shared_ptr<UpstreamPool>> pools_;
};

}  // namespace sluice::http
