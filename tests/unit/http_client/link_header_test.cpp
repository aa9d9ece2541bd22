#include "http/link_header.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace sluice::http {
namespace {

TEST(LinkHeader, FindsTheNextPage) {
  const std::pair<const char*, const char*> cases[] = {
      {R"(<https://a/b?page=2>; rel="next")", "https://a/b?page=2"},
      {R"(<https://a/1>; rel="prev", <https://a/3>; rel="next", <https://a/9>; rel=last)",
       "https://a/3"},
      {R"(</x?q=a,b;c>;title="a, \"b\" <c>";REL=next)", "/x?q=a,b;c"},
      {R"(<?page=2>; rel="last NEXT")", "?page=2"},
      {R"(<a>; rel=prev; rel=next)", ""},
      {R"(<a>; title=next)", ""},
      {R"(<a>; anchor="#x"; rel = next)", "a"},
      {R"(<a>; flag; rel=next)", "a"},
      {R"(<a; rel=next)", ""},
      {R"(<a>; rel="next)", "a"},
      {"", ""},
      {">", ""},
      {R"(<a>; rel="\)", ""}};
  for (const auto& [field, target] : cases) EXPECT_EQ(next_link(field), target) << field;
}

TEST(LinkHeader, EndsOnAnyText) {
  const std::string_view text = R"(<a>; x="\"", ;;<b>;rel="n next" , <>;)";
  for (std::size_t from = 0; from < text.size(); ++from)
    for (std::size_t size = 0; from + size <= text.size(); ++size)
      static_cast<void>(next_link(text.substr(from, size)));
}

}  // namespace
}  // namespace sluice::http
