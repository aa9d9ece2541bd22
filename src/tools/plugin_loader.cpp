#include "tools/plugin_loader.hpp"

#include <dlfcn.h>

#include <exception>
#include <string_view>

#include <sluice/plugin.hpp>

namespace sluice::tools {
namespace {

std::string last_error() {
  const char* text = ::dlerror();
  return text != nullptr ? text : "unknown error";
}

}  // namespace

bool load_plugin(const std::string& path, Registry& registry, std::string& problem) {
  // A name without a slash would be searched for in the library path.
  const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  void* object = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (object == nullptr) {
    problem = "cannot load the plug-in: " + last_error();
    return false;
  }
  const auto* tag = static_cast<const char*>(::dlsym(object, "sluice_plugin_tag"));
  void* entry = ::dlsym(object, "sluice_plugin_register");
  if (tag == nullptr || entry == nullptr) {
    problem = path + " is no sluice plug-in: it has no SLUICE_PLUGIN entry point";
    return false;
  }
  if (std::string_view(tag) != SLUICE_PLUGIN_TAG) {
    problem =
        path + " was built for another sluice: it says " + tag + ", this is " SLUICE_PLUGIN_TAG;
    return false;
  }
  try {
    reinterpret_cast<void (*)(Registry&)>(entry)(registry);
  } catch (const std::exception& e) {
    problem = "the plug-in's entry point failed: " + std::string(e.what());
    return false;
  } catch (...) {
    problem = "the plug-in's entry point failed";
    return false;
  }
  return true;
}

}  // namespace sluice::tools
