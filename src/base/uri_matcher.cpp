#include "base/uri_matcher.hpp"

#include <algorithm>
#include <utility>

#include "base/uri_text.hpp"

namespace sluice {
namespace {

using Operator = UriTemplate::Operator;

// Reserved characters that people leave as they are where they mean nothing.
constexpr std::string_view kHarmless = ":@!$&'()*+;=";

std::size_t index_of(char c) noexcept { return static_cast<unsigned char>(c); }

std::string braced(std::string_view name) { return "{" + std::string(name) + "}"; }

bool starts_with_prefix_of(std::string_view value, std::string_view prefix,
                           std::uint32_t characters) noexcept {
  if (!value.starts_with(prefix)) return false;
  const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  const auto count = std::ranges::count_if(prefix, begins);
  return count == characters || value.size() == prefix.size();
}

}  // namespace

std::optional<UriMatcher> UriMatcher::make(const UriTemplate& text,
                                           std::span<const std::string_view> lists,
                                           std::string& problem) {
  UriMatcher out;
  for (const auto& part : text.parts()) {
    problem = out.add(part, lists);
    if (!problem.empty()) return std::nullopt;
  }
  out.choose_characters();
  problem = out.find_lost_value();
  if (problem.empty()) problem = out.find_ambiguity();
  if (!problem.empty()) return std::nullopt;
  return out;
}

/// What is wrong with a part on its own; empty: nothing, and it is in.
std::string UriMatcher::add(const UriTemplate::Part& part,
                            std::span<const std::string_view> lists) {
  Piece piece;
  if (part.variables.empty()) {
    piece.literal =
        pieces_.empty() ? uri::normalize(part.literal) : uri::normalize_part(part.literal);
    pieces_.push_back(std::move(piece));
    return {};
  }
  const auto rules = UriTemplate::rules(part.op);
  const auto& first = part.variables.front();
  const bool is_row = part.variables.size() > 1;
  piece.kind = rules.is_named ? Piece::Kind::pairs : Piece::Kind::row;
  piece.variables = part.variables;
  if (!rules.first.empty()) piece.lead = rules.first[0];
  piece.separator = rules.separator[0];
  for (const auto& variable : part.variables) {
    const bool is_list =
        variable.is_exploded || std::ranges::find(lists, variable.name) != lists.end();
    piece.is_list.push_back(is_list);
    if (rules.is_named || !is_list) continue;
    if (is_row)
      return "nothing tells where the list " + braced(variable.name) +
             " ends and the next value begins; give it an expression of its own";
    piece.kind = Piece::Kind::list;
    if (!variable.is_exploded) piece.separator = ',';
  }
  const bool has_several = piece.kind == Piece::Kind::list || is_row;
  if (rules.keeps_reserved && has_several)
    return "values of " + braced(std::string(1, static_cast<char>(part.op)) + first.name) +
           " may hold commas, so that several of them cannot be told apart";
  if (part.op == Operator::label && has_several && piece.separator == '.')
    return "values of " + braced("." + first.name) +
           " may hold dots, so that several of them cannot be told apart";
  piece.is_open = rules.keeps_reserved;
  pieces_.push_back(std::move(piece));
  return {};
}

/// A reserved character is part of a value where nothing in the template uses it.
void UriMatcher::choose_characters() {
  Characters plain;
  for (int c = 0; c < 128; ++c)
    plain[static_cast<std::size_t>(c)] = uri::is_unreserved(static_cast<char>(c));
  plain.set(index_of('%'));
  for (const char c : kHarmless) plain.set(index_of(c));
  bool has_query = false;
  bool has_fragment = false;
  for (const auto& piece : pieces_) {
    // What stands in front of all values separates none.
    if (&piece != &pieces_.front())
      for (const char c : piece.literal)
        if (uri::is_reserved(c)) plain.reset(index_of(c));
    if (uri::is_reserved(piece.lead)) plain.reset(index_of(piece.lead));
    has_query |= piece.lead == '?';
    has_fragment |= piece.lead == '#';
  }
  for (auto& piece : pieces_) {
    if (piece.kind == Piece::Kind::literal) continue;
    const bool is_query = piece.kind == Piece::Kind::pairs && piece.separator == '&';
    if (piece.is_open || is_query) {
      piece.characters.set();
      if (is_query || (has_fragment && piece.lead == 0)) piece.characters.reset(index_of('#'));
      // `{+path}{?query}` is meant to end at the question mark.
      if (has_query && piece.lead == 0) piece.characters.reset(index_of('?'));
    } else {
      piece.characters = plain;
      if (piece.kind == Piece::Kind::list || piece.variables.size() > 1)
        piece.characters.set(index_of(piece.separator));
    }
  }
}

/// A prefix is a check only: the whole value has to stand elsewhere.
std::string UriMatcher::find_lost_value() const {
  for (const auto& piece : pieces_)
    for (const auto& variable : piece.variables) {
      if (variable.prefix == 0) continue;
      const auto is_whole = [&](const UriTemplate::Variable& other) {
        return other.name == variable.name && other.prefix == 0;
      };
      const bool has_whole = std::ranges::any_of(pieces_, [&](const Piece& other) {
        return std::ranges::any_of(other.variables, is_whole);
      });
      if (!has_whole)
        return braced(variable.name + ":" + std::to_string(variable.prefix)) +
               " loses the rest of the value, which then cannot be found in a URI";
    }
  return {};
}

/// There is one way to take a URI apart where each two expressions have a character between them
/// that no expression on the left can hold, so that it is found from the left; or, from some
/// expression on and up to the next such character, one that the expression on the right cannot
/// hold, so that it is found from the right.
std::string UriMatcher::find_ambiguity() const {
  const Piece* before = nullptr;
  std::string between;
  Characters left;
  for (const auto& piece : pieces_) {
    if (piece.kind == Piece::Kind::literal) {
      between += piece.literal;
      continue;
    }
    const bool are_pairs =
        before != nullptr && before->kind == Piece::Kind::pairs && piece.kind == Piece::Kind::pairs;
    if (before != nullptr && !are_pairs) {
      if (between.empty() && piece.lead != 0 && piece.lead == before->lead)
        return "either of " + braced(before->variables[0].name) + " and " +
               braced(piece.variables[0].name) + " may be missing, and nothing tells which";
      if (piece.lead != 0) between += piece.lead;
      const auto ends = [&](const Characters& characters) {
        return std::ranges::any_of(between, [&](char c) { return !characters[index_of(c)]; });
      };
      if (ends(left))
        left.reset();
      else if (!ends(piece.characters))
        return "nothing tells where " + braced(before->variables[0].name) + " ends and " +
               braced(piece.variables[0].name) + " begins; put a character between them that " +
               "values do not hold, such as /";
    }
    left |= piece.characters;
    before = &piece;
    between.clear();
  }
  return {};
}

/// One URI being taken apart.
class UriMatcher::Attempt {
 public:
  Attempt(const UriMatcher& matcher, std::string_view uri) : pieces_(matcher.pieces_), uri_(uri) {}

  /// From piece `index` on at byte `at`, to the end of the URI.
  [[nodiscard]] bool match(std::size_t index, std::size_t at) {
    if (++steps_ > kMaxSteps) return false;
    if (index == pieces_.size()) return at == uri_.size() && is_consistent();
    const Piece& piece = pieces_[index];
    switch (piece.kind) {
      case Piece::Kind::literal:
        return uri_.substr(at).starts_with(piece.literal) &&
               match(index + 1, at + piece.literal.size());
      case Piece::Kind::pairs:
        return match_pairs(piece, index, at);
      case Piece::Kind::row:
      case Piece::Kind::list:
        break;
    }
    return match_values(piece, index, at);
  }

  [[nodiscard]] std::vector<Binding> bindings() const {
    std::vector<Binding> out;
    for (const auto& found : found_) {
      if (found.variable->prefix != 0 ||
          std::ranges::find(out, found.variable->name, &Binding::name) != out.end())
        continue;
      out.push_back({found.variable->name, found.values, found.is_list});
    }
    return out;
  }

 private:
  struct Found {
    const UriTemplate::Variable* variable;
    std::vector<std::string> values;
    bool is_list;
  };

  /// The longest text first, then less of it.
  [[nodiscard]] bool match_values(const Piece& piece, std::size_t index, std::size_t begin) {
    const bool has_lead = piece.lead != 0;
    if (has_lead && (begin == uri_.size() || uri_[begin] != piece.lead))
      return match(index + 1, begin);
    const std::size_t first = begin + (has_lead ? 1 : 0);
    std::size_t end = first;
    while (end < uri_.size() && piece.characters[index_of(uri_[end])]) ++end;
    for (;; --end) {
      if (++steps_ > kMaxSteps) return false;
      if (!may_end(index, end)) {
        if (end == first) break;
        continue;
      }
      const std::size_t known = found_.size();
      const bool is_left_out = !has_lead && end == first;
      if ((is_left_out || take(piece, uri_.substr(first, end - first))) && match(index + 1, end))
        return true;
      found_.resize(known);
      if (end == first) break;
    }
    return has_lead && match(index + 1, begin);
  }

  /// Whether a value may end here, by what follows it; looked at before the value is decoded.
  [[nodiscard]] bool may_end(std::size_t index, std::size_t end) const {
    if (index + 1 == pieces_.size()) return end == uri_.size();
    const Piece& next = pieces_[index + 1];
    return next.kind != Piece::Kind::literal || uri_.substr(end).starts_with(next.literal);
  }

  /// Takes `text` apart at the separators; false where it is not as many values as there are
  /// variables.
  [[nodiscard]] bool take(const Piece& piece, std::string_view text) {
    std::vector<std::string> values = split(text, piece.separator, piece);
    if (piece.kind == Piece::Kind::list) {
      found_.push_back({&piece.variables[0], std::move(values), true});
      return true;
    }
    if (values.size() != piece.variables.size()) return false;
    for (std::size_t i = 0; i < values.size(); ++i)
      found_.push_back({&piece.variables[i], {std::move(values[i])}, false});
    return true;
  }

  [[nodiscard]] static std::vector<std::string> split(std::string_view text, char separator,
                                                      const Piece& piece) {
    std::vector<std::string> out;
    const bool is_one = piece.kind == Piece::Kind::row && piece.variables.size() == 1;
    while (!is_one) {
      const auto end = text.find(separator);
      if (end == std::string_view::npos) break;
      out.push_back(uri::decode(text.substr(0, end)));
      text.remove_prefix(end + 1);
    }
    out.push_back(uri::decode(text));
    return out;
  }

  /// As many named values as there are; what comes first decides, since no name is wanted twice.
  [[nodiscard]] bool match_pairs(const Piece& piece, std::size_t index, std::size_t begin) {
    const std::size_t known = found_.size();
    std::size_t next = begin;
    char lead = piece.lead;
    while (next < uri_.size() && uri_[next] == lead && take_pair(piece, known, next)) {
      lead = piece.separator;
      if (++steps_ > kMaxSteps) return false;
    }
    if (match(index + 1, next)) return true;
    found_.resize(known);
    return false;
  }

  /// `name=value` behind the character at `next`, which is moved behind it.
  [[nodiscard]] bool take_pair(const Piece& piece, std::size_t known, std::size_t& next) {
    const auto is_of_name = [](char c) { return uri::is_unreserved(c) || c == '%'; };
    std::size_t end = next + 1;
    while (end < uri_.size() && is_of_name(uri_[end])) ++end;
    const auto name = uri_.substr(next + 1, end - next - 1);
    const bool has_value = end < uri_.size() && uri_[end] == '=';
    // A parameter of a path that is empty has no equals sign.
    if (!has_value && piece.separator != ';') return false;
    const std::size_t first = has_value ? end + 1 : end;
    end = first;
    while (has_value && end < uri_.size() && uri_[end] != piece.separator &&
           piece.characters[index_of(uri_[end])])
      ++end;
    const auto value = uri_.substr(first, end - first);
    const auto variable = std::ranges::find(piece.variables, name, &UriTemplate::Variable::name);
    if (variable == piece.variables.end()) return false;
    const bool is_list =
        piece.is_list[static_cast<std::size_t>(variable - piece.variables.begin())];
    Found* earlier = nullptr;
    for (std::size_t i = known; i < found_.size(); ++i)
      if (found_[i].variable == &*variable) earlier = &found_[i];
    if (earlier != nullptr && !variable->is_exploded) return false;
    if (earlier != nullptr)
      earlier->values.push_back(uri::decode(value));
    else
      found_.push_back({&*variable, values_of(*variable, is_list, value), is_list});
    next = end;
    return true;
  }

  [[nodiscard]] static std::vector<std::string> values_of(const UriTemplate::Variable& variable,
                                                          bool is_list, std::string_view text) {
    if (!is_list || variable.is_exploded) return {uri::decode(text)};
    std::vector<std::string> out;
    for (auto comma = text.find(','); comma != std::string_view::npos; comma = text.find(',')) {
      out.push_back(uri::decode(text.substr(0, comma)));
      text.remove_prefix(comma + 1);
    }
    out.push_back(uri::decode(text));
    return out;
  }

  /// A variable that stands twice has one value, and a prefix is one of it.
  [[nodiscard]] bool is_consistent() const {
    for (const auto& found : found_) {
      const auto whole = std::ranges::find_if(found_, [&](const Found& other) {
        return other.variable->name == found.variable->name && other.variable->prefix == 0;
      });
      if (whole == found_.end()) return false;
      const std::uint32_t prefix = found.variable->prefix;
      const bool agrees = prefix == 0
                              ? whole->values == found.values
                              : starts_with_prefix_of(whole->values[0], found.values[0], prefix);
      if (!agrees) return false;
    }
    return true;
  }

  const std::vector<Piece>& pieces_;
  const std::string_view uri_;
  std::vector<Found> found_;
  std::size_t steps_ = 0;
};

std::optional<std::vector<UriMatcher::Binding>> UriMatcher::match(std::string_view uri) const {
  const std::string normal = uri::normalize(uri);
  Attempt attempt(*this, normal);
  if (!attempt.match(0, 0)) return std::nullopt;
  return attempt.bindings();
}

}  // namespace sluice
