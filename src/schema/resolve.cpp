#include "schema/resolve.hpp"

#include "schema/pointer.hpp"
#include "schema/uri.hpp"
#include "schema/words.hpp"

namespace sluice::schema {

std::optional<std::uint32_t> Names::add_resource(std::string uri, Json root, Dialect dialect) {
  const auto index = static_cast<std::uint32_t>(program_.resources.size());
  if (!by_uri_.emplace(uri, index).second) return std::nullopt;
  Resource& resource = program_.resources.emplace_back();
  resource.uri = std::move(uri);
  resource.root = root;
  resource.dialect = dialect;
  return index;
}

const Subschema* Names::schema_at(Json source) const noexcept {
  const auto found = by_node_.find(source.node());
  return found == by_node_.end() ? nullptr : found->second;
}

std::variant<Names::Target, std::string> Names::resolve(std::uint32_t resource,
                                                        std::string_view reference) const {
  const auto [base, fragment] = split_fragment(reference);
  const std::string uri = resolve_uri(program_.resources[resource].uri, base);
  const auto found = by_uri_.find(uri);
  if (found == by_uri_.end()) {
    return "refers to " + quote(reference) +
           ", which leads out of this document; only references to its own parts are followed";
  }
  Target target;
  target.resource = found->second;
  const Resource& home = program_.resources[target.resource];
  target.place = home.root;
  target.schema = schema_at(home.root);
  const std::string decoded = percent_decode(fragment);
  if (decoded.empty()) return target;
  if (decoded.front() == '/') return follow(target, decoded);
  const auto anchor = home.anchors.find(decoded);
  if (anchor == home.anchors.end())
    return "refers to " + quote(reference) + ", but there is no such anchor";
  target.schema = anchor->second;
  target.place = anchor->second->source;
  if (const auto dynamic = home.dynamic_anchors.find(decoded);
      dynamic != home.dynamic_anchors.end()) {
    target.dynamic_anchor = dynamic->first;
  }
  return target;
}

std::variant<Names::Target, std::string> Names::follow(Target target,
                                                       std::string_view pointer) const {
  const std::string whole(pointer);
  while (!pointer.empty()) {
    const auto token = take_token(pointer);
    if (!token) return "refers to " + quote("#" + whole) + ", where '~' must be followed by 0 or 1";
    target.place = child(target.place, *token);
    if (!target.place) return "refers to " + quote("#" + whole) + ", which is not there";
    target.schema = schema_at(target.place);
    if (target.schema != nullptr) target.resource = target.schema->resource;
  }
  return target;
}

}  // namespace sluice::schema
