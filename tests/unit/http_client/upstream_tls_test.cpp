#include "http/upstream_tls.hpp"

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <unistd.h>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "fetch.hpp"

namespace sluice::http {
namespace {

using namespace sluice::testing;
using Reply = CannedUpstream::Reply;
using Then = CannedUpstream::Then;
namespace ssl = boost::asio::ssl;

/// A key and a certificate that signs itself, made for the test, in files of a directory that goes
/// with it.
class Certificate {
 public:
  explicit Certificate(const std::string& subject_alt_name, long valid_seconds = 3600) {
    directory_ = std::filesystem::temp_directory_path() /
                 ("sluice_tls_" + std::to_string(::getpid()) + "_" + std::to_string(count_++));
    std::filesystem::create_directory(directory_);
    EVP_PKEY* const key = EVP_EC_gen("P-256");
    X509* const cert = X509_new();
    X509_set_version(cert, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(cert), 1 + count_);
    X509_gmtime_adj(X509_getm_notBefore(cert), -86400);
    X509_gmtime_adj(X509_getm_notAfter(cert), valid_seconds);
    X509_set_pubkey(cert, key);
    X509_NAME* const name = X509_get_subject_name(cert);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>("sluice test"), -1, -1, 0);
    X509_set_issuer_name(cert, name);
    add(cert, NID_subject_alt_name, subject_alt_name);
    add(cert, NID_basic_constraints, "critical,CA:TRUE");
    X509_sign(cert, key, EVP_sha256());
    FILE* file = std::fopen(cert_file().c_str(), "w");
    PEM_write_X509(file, cert);
    std::fclose(file);
    file = std::fopen(key_file().c_str(), "w");
    PEM_write_PrivateKey(file, key, nullptr, nullptr, 0, nullptr, nullptr);
    std::fclose(file);
    X509_free(cert);
    EVP_PKEY_free(key);
  }
  ~Certificate() { std::filesystem::remove_all(directory_); }
  Certificate(const Certificate&) = delete;
  Certificate& operator=(const Certificate&) = delete;

  [[nodiscard]] std::string cert_file() const { return directory_ / "cert.pem"; }
  [[nodiscard]] std::string key_file() const { return directory_ / "key.pem"; }

 private:
  static void add(X509* cert, int nid, const std::string& value) {
    X509_EXTENSION* const e = X509V3_EXT_conf_nid(nullptr, nullptr, nid, value.c_str());
    X509_add_ext(cert, e, -1);
    X509_EXTENSION_free(e);
  }
  std::filesystem::path directory_;
  static inline int count_ = 0;
};

struct Server {
  explicit Server(const Certificate& certificate) {
    context.use_certificate_chain_file(certificate.cert_file());
    context.use_private_key_file(certificate.key_file(), ssl::context::pem);
  }
  ssl::context context{ssl::context::tls_server};
};

config::HttpSource trusting(const CannedUpstream& stub, const Certificate& certificate,
                            std::string_view host = "localhost") {
  config::HttpSource source = Fetcher::source_at(stub.url("", host));
  source.tls.ca_file = certificate.cert_file();
  return source;
}

CannedUpstream::Script always(std::string bytes) {
  return [bytes = std::move(bytes)](const CannedUpstream::Request&) { return Reply{bytes}; };
}

TEST(UpstreamTls, SpeaksWithAnUpstreamWhoseCertificateIsGoodAndKeepsTheConnection) {
  const Certificate certificate("DNS:localhost");
  Server server(certificate);
  CannedUpstream stub(always(canned("200 OK", "hi")), &server.context);
  Fetcher fetcher(trusting(stub, certificate));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(fetcher.get().body, "hi") << fetcher.get().problem;
  EXPECT_EQ(stub.accepted(), 1);
}

TEST(UpstreamTls, ReadsALargeBody) {
  const Certificate certificate("DNS:localhost");
  Server server(certificate);
  CannedUpstream stub(
      [](const CannedUpstream::Request&) {
        return Reply{"HTTP/1.1 200 OK\r\nContent-Length: 2000000\r\n\r\n", Then::keep, 2'000'000};
      },
      &server.context);
  Fetcher fetcher(trusting(stub, certificate));
  EXPECT_EQ(fetcher.get().body, std::string(2'000'000, 'x'));
  EXPECT_EQ(fetcher.frames.in_use(), 0u);
}

TEST(UpstreamTls, ChecksAnAddressAgainstTheAddressesOfTheCertificate) {
  const Certificate good("IP:127.0.0.1");
  Server server(good);
  CannedUpstream stub(always(canned("200 OK", "hi")), &server.context);
  Fetcher fetcher(trusting(stub, good, "127.0.0.1"));
  EXPECT_EQ(fetcher.get().body, "hi");
  Fetcher by_name(trusting(stub, good, "localhost"));
  EXPECT_NE(by_name.get().problem.find("TLS: hostname mismatch"), std::string::npos)
      << by_name.get().problem;
}

TEST(UpstreamTls, RefusesACertificateOfAnotherNameAndSendsNothing) {
  const Certificate certificate("DNS:other.example");
  Server server(certificate);
  CannedUpstream stub(always(canned("200 OK", "hi")), &server.context);
  Fetcher fetcher(trusting(stub, certificate));
  EXPECT_NE(fetcher.get().problem.find("upstream market cannot be reached: TLS: hostname mismatch"),
            std::string::npos);
  EXPECT_TRUE(stub.requests().empty());
}

TEST(UpstreamTls, RefusesACertificateThatNobodyVouchesFor) {
  const Certificate certificate("DNS:localhost");
  Server server(certificate);
  CannedUpstream stub(always(canned("200 OK", "hi")), &server.context);
  Fetcher fetcher(Fetcher::source_at(stub.url("", "localhost")));
  EXPECT_NE(fetcher.get().problem.find("TLS: self-signed certificate"), std::string::npos)
      << fetcher.get().problem;
  EXPECT_TRUE(stub.requests().empty());
}

TEST(UpstreamTls, RefusesACertificateThatHasExpired) {
  const Certificate certificate("DNS:localhost", -3600);
  Server server(certificate);
  CannedUpstream stub(always(canned("200 OK", "hi")), &server.context);
  Fetcher fetcher(trusting(stub, certificate));
  EXPECT_NE(fetcher.get().problem.find("expired"), std::string::npos) << fetcher.get().problem;
}

TEST(UpstreamTls, LooksAtNoCertificateWhereTheOperatorSaysSo) {
  const Certificate certificate("DNS:other.example");
  Server server(certificate);
  CannedUpstream stub(always(canned("200 OK", "hi")), &server.context);
  config::HttpSource source = Fetcher::source_at(stub.url("", "localhost"));
  source.tls.verify = false;
  Fetcher fetcher(source);
  EXPECT_EQ(fetcher.get().body, "hi");
}

TEST(UpstreamTls, ShowsItsOwnCertificateWhereItHasOne) {
  const Certificate certificate("DNS:localhost");
  const Certificate client("DNS:client");
  Server server(certificate);
  server.context.set_verify_mode(ssl::verify_peer | ssl::verify_fail_if_no_peer_cert);
  server.context.load_verify_file(client.cert_file());
  CannedUpstream stub(always(canned("200 OK", "hi")), &server.context);
  config::HttpSource source = trusting(stub, certificate);
  Fetcher without(source);
  EXPECT_NE(without.get().problem, "");
  source.tls.cert_file = client.cert_file();
  source.tls.key_file = client.key_file();
  Fetcher with(source);
  EXPECT_EQ(with.get().body, "hi");
}

TEST(UpstreamTls, SaysThatTheOtherSideDoesNotSpeakIt) {
  CannedUpstream stub(always("HTTP/1.1 400 Bad Request\r\n\r\n"));
  std::string url = stub.url("", "localhost");
  url.replace(0, 4, "https");
  // The stub waits for the end of a head that never comes; what it is sent is no HTTP.
  config::HttpSource source = Fetcher::source_at(url);
  source.connect_timeout = std::chrono::milliseconds(200);
  Fetcher fetcher(source);
  EXPECT_EQ(fetcher.get().problem,
            "upstream market cannot be reached: no connection within its connect_timeout of 200ms");
}

TEST(UpstreamTls, TakesABodyThatEndsWithTheConnectionOnlyWhereTheEndIsAnnounced) {
  const Certificate certificate("DNS:localhost");
  for (const bool announced : {true, false}) {
    Server server(certificate);
    CannedUpstream stub(
        [announced](const CannedUpstream::Request&) {
          return Reply{"HTTP/1.1 200 OK\r\n\r\nhello", Then::close, 0, false, announced};
        },
        &server.context);
    Fetcher fetcher(trusting(stub, certificate));
    const Fetched got = fetcher.get();
    EXPECT_EQ(got.body, "hello");
    EXPECT_EQ(got.problem.empty(), announced) << got.problem;
  }
}

TEST(UpstreamTls, SaysAtTheStartWhichFileCannotBeUsed) {
  std::string problem;
  config::HttpSource source = Fetcher::source_at("https://localhost");
  source.tls.ca_file = "/nonexistent/ca.pem";
  EXPECT_EQ(Upstream::make(source, 1, problem), nullptr);
  EXPECT_NE(problem.find("ca_file"), std::string::npos);
  source.tls.ca_file.clear();
  source.tls.cert_file = "/nonexistent/cert.pem";
  EXPECT_EQ(Upstream::make(source, 1, problem), nullptr);
  EXPECT_NE(problem.find("cert_file"), std::string::npos);
}

}  // namespace
}  // namespace sluice::http
