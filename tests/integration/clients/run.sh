#!/usr/bin/env bash
# run.sh v1|v2|inspector: the tests of one client, with what ctest has put into the environment.
set -euo pipefail
cd "$(dirname "$0")"
node=$(../../npm_packages.sh)
exec "$node" --test --test-reporter=spec "$1.test.mjs"
