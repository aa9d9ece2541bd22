#include "http/upstream_tls.hpp"

#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>

#include <boost/asio/ip/address.hpp>

namespace sluice::http {

namespace ssl = boost::asio::ssl;

std::unique_ptr<ssl::context> make_tls_context(const config::Tls& tls, std::string& problem) {
  auto context = std::make_unique<ssl::context>(ssl::context::tls_client);
  boost::system::error_code ec;
  SSL_CTX_set_min_proto_version(context->native_handle(), TLS1_2_VERSION);
  // Length and name: the only protocol we speak.
  static constexpr unsigned char kAlpn[] = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
  SSL_CTX_set_alpn_protos(context->native_handle(), kAlpn, sizeof kAlpn);
  if (tls.ca_file.empty()) {
    context->set_default_verify_paths(ec);
  } else {
    context->load_verify_file(tls.ca_file, ec);
  }
  if (ec) {
    problem = "the certificates of `ca_file` cannot be read: " + ec.message();
    return nullptr;
  }
  if (!tls.cert_file.empty()) {
    context->use_certificate_chain_file(tls.cert_file, ec);
    if (ec) {
      problem = "the certificate of `cert_file` cannot be read: " + ec.message();
      return nullptr;
    }
    const std::string& key = tls.key_file.empty() ? tls.cert_file : tls.key_file;
    context->use_private_key_file(key, ssl::context::pem, ec);
    if (ec) {
      problem = "the key of `key_file` cannot be used: " + ec.message();
      return nullptr;
    }
  }
  return context;
}

bool prepare_tls(TlsStream& stream, const std::string& host, bool verify) {
  SSL* const handle = stream.native_handle();
  boost::system::error_code ec;
  boost::asio::ip::make_address(host, ec);
  const bool is_address = !ec;
  if (!is_address && SSL_set_tlsext_host_name(handle, host.c_str()) != 1) return false;
  if (!verify) {
    stream.set_verify_mode(ssl::verify_none, ec);
    return !ec;
  }
  stream.set_verify_mode(ssl::verify_peer, ec);
  if (ec) return false;
  if (is_address) return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(handle), host.c_str()) == 1;
  SSL_set_hostflags(handle, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  return SSL_set1_host(handle, host.c_str()) == 1;
}

std::string tls_failure(TlsStream& stream, boost::system::error_code ec) {
  const long verdict = SSL_get_verify_result(stream.native_handle());
  if (verdict != X509_V_OK) return X509_verify_cert_error_string(verdict);
  if (ec == boost::asio::error::eof || ec == ssl::error::stream_truncated) {
    return "the connection was closed";
  }
  return ec.message();
}

}  // namespace sluice::http
