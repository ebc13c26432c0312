#!/bin/sh
# Writes the lock files anew from pyproject.toml: `sh requirements/lock.sh [uv options]`, e.g. --upgrade.
# They hold versions and hashes for every platform and Python from 3.10, and say nothing about where
# packages come from: that is up to the configuration of whoever installs them.
set -eu
cd "$(dirname "$0")/.."

lock() { # lock FILE WHAT...: WHAT is what uv is to read, and how
  out=$1
  shift
  uv pip compile "$@" --universal --python-version 3.10 --generate-hashes \
    --no-header --no-annotate --no-emit-index-url --no-emit-find-links --quiet \
    --output-file "requirements/$out"
}

lock core.txt pyproject.toml "$@"
lock api.txt pyproject.toml --extra api "$@"
lock test.txt pyproject.toml --extra test "$@"
lock npm.txt --group npm "$@"
