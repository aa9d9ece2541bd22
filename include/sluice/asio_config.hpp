#pragma once

/// Asio as sluice is built with it: declarations here, the code once in the executable, and caches
/// of one size. A plug-in that saw another Asio would share its thread-local state with ours under
/// another layout, so that is an error at compile time. The other headers here include this one
/// first; include them before any of Asio's.
#if defined(BOOST_ASIO_DETAIL_CONFIG_HPP) && !defined(BOOST_ASIO_SEPARATE_COMPILATION)
#error \
    "Include <sluice/...> before <boost/asio/...>, or define BOOST_ASIO_SEPARATE_COMPILATION for all."
#endif

#ifndef BOOST_ASIO_SEPARATE_COMPILATION
#define BOOST_ASIO_SEPARATE_COMPILATION
#endif
#ifndef BOOST_ASIO_NO_DEPRECATED
#define BOOST_ASIO_NO_DEPRECATED
#endif
#ifndef BOOST_ASIO_RECYCLING_ALLOCATOR_CACHE_SIZE
#define BOOST_ASIO_RECYCLING_ALLOCATOR_CACHE_SIZE 64
#elif BOOST_ASIO_RECYCLING_ALLOCATOR_CACHE_SIZE != 64
#error "sluice is built with BOOST_ASIO_RECYCLING_ALLOCATOR_CACHE_SIZE=64."
#endif
