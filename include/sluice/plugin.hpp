#pragma once

#include <boost/version.hpp>

#include <sluice/call.hpp>
#include <sluice/registry.hpp>
#include <sluice/result_writer.hpp>

/// The entry point of a plug-in: a shared object that holds tools and prompts.
///
///     SLUICE_PLUGIN(registry) {
///       registry.add({.name = "greet", .description = "Says hello."}, greet);
///     }
///
/// A plug-in is built against the headers of the sluice that loads it and the same Boost: both are
/// in its tag, and a plug-in with another tag is refused before any of its code runs. It is loaded
/// at start and never unloaded. An exception out of the entry point stops the start with its text.
#define SLUICE_PLUGIN_TAG_(boost) "sluice-plugin-3/boost-" boost
#define SLUICE_PLUGIN_TAG SLUICE_PLUGIN_TAG_(BOOST_LIB_VERSION)

#define SLUICE_PLUGIN(registry)                                                            \
  extern "C" {                                                                             \
  __attribute__((visibility("default"))) extern const char sluice_plugin_tag[];            \
  const char sluice_plugin_tag[] = SLUICE_PLUGIN_TAG;                                      \
  __attribute__((visibility("default"))) void sluice_plugin_register(::sluice::Registry&); \
  }                                                                                        \
  void sluice_plugin_register(::sluice::Registry& registry)
