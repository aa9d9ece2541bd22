#include "config/slots.hpp"

#include "support.hpp"

namespace sluice::config {
namespace {

/// A template as text: slots in angle brackets.
std::string shown(const Template& text) {
  std::string out;
  for (const auto& part : text.parts) out += part.is_slot ? "<" + part.text + ">" : part.text;
  return out;
}

std::string argument(const std::string& written) {
  const auto config =
      good("version: 1\ntools:\n  a:\n    parameters: {x: {}, y z: {}}\n    command: [p, '" +
           written + "']\n");
  return shown(std::get<CommandTool>(config.tools.at(0).source).argv.at(1));
}

TEST(ConfigSlots, AreNamesInBraces) {
  const std::pair<const char*, const char*> cases[] = {
      {"{x}", "<x>"},   {"a{x}b{y z}c", "a<x>b<y z>c"}, {"{x}{x}", "<x><x>"},
      {"{{x}}", "{x}"}, {"{{{x}}}", "{<x>}"},           {"{{}}", "{}"},
      {"", ""},         {"$1 {x} $$", "$1 <x> $$"}};
  for (const auto& [written, expected] : cases) EXPECT_EQ(argument(written), expected) << written;
}

TEST(ConfigSlots, RefuseOtherBraces) {
  for (const auto* written : {"{", "}", "{}", "{x", "x}", "{x{y}", "{{x}", "{x}}"})
    EXPECT_NE(
        complaint(
            std::string("version: 1\ntools:\n  a:\n    parameters: {x: {}}\n    command: [p, '") +
            written + "']\n")
            .find("a literal brace is written"),
        std::string::npos)
        << written;
}

TEST(ConfigSlots, RefuseNamesThatAreNoParameter) {
  EXPECT_EQ(
      complaint(
          "version: 1\ntools:\n  a:\n    parameters: {name: {}}\n    command: [p, \"{nmae}\"]\n"),
      "5:18: tools.a.command[1]: there is no parameter \"nmae\" (did you mean \"name\"?)");
}

TEST(ConfigSlots, WhatAVariablePutInIsNoSlot) {
  const Variable set("SLUICE_T", "{x} } {{");
  EXPECT_EQ(argument("${SLUICE_T}-{x}"), "{x} } {{-<x>");
}

TEST(ConfigSlots, AVariableCannotFinishASlot) {
  const Variable set("SLUICE_T", "x");
  EXPECT_NE(
      complaint(
          "version: 1\ntools:\n  a:\n    parameters: {x: {}}\n    command: [p, '{${SLUICE_T}}']\n"),
      "");
}

}  // namespace
}  // namespace sluice::config
