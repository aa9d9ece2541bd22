#!/usr/bin/env bash
# run.sh <sluice> <fixture plug-in> [revision ...]: see run.mjs.
set -euo pipefail
cd "$(dirname "$0")"
node=$(../npm_packages.sh)
exec "$node" run.mjs "$@"
