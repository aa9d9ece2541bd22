#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <memory>
#include <string>

#include <sluice/error.hpp>

#include "config/config.hpp"

namespace sluice::http {

/// TLS 1.2 and newer as a client, with the certificates that `tls` names. Null, and `problem` says
/// what the operator has to mend.
[[nodiscard]] std::unique_ptr<boost::asio::ssl::context> make_tls_context(const config::Tls& tls,
                                                                          std::string& problem);

using TlsStream = boost::asio::ssl::stream<boost::asio::ip::tcp::socket&>;

/// Sets what a handshake with `host` needs: the name sent (SNI, not for addresses), and the name or
/// address that the certificate has to be for. False where OpenSSL refuses.
[[nodiscard]] bool prepare_tls(TlsStream& stream, const std::string& host, bool verify);

/// Why a handshake failed: the verdict on the certificate where there is one, else the error.
[[nodiscard]] std::string tls_failure(TlsStream& stream, boost::system::error_code ec);

}  // namespace sluice::http
