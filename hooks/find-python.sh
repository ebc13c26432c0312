# Sourced. `find_python CALLBACK` calls CALLBACK with one interpreter after the other (one or two words)
# until it succeeds; false if none did. Nothing but the real work tells whether an interpreter works:
# a Windows store stub is found and executable, and prints an advertisement; a store Python runs but
# cannot open files of other programs.
find_python() {
  callback=$1
  IFS=:
  set -f
  # shellcheck disable=SC2086  # splitting at the colons is the point
  set -- $PATH
  set +f
  unset IFS
  # Hooks are often started with a bare PATH: look where installers put things, too.
  for folder in "$@" "${HOME-}/.local/bin" /opt/homebrew/bin /usr/local/bin /usr/bin /bin \
    "${PYENV_ROOT:-${HOME-}/.pyenv}/shims" "${ASDF_DATA_DIR:-${HOME-}/.asdf}/shims" \
    "${HOME-}/.local/share/mise/shims" /opt/local/bin /home/linuxbrew/.linuxbrew/bin \
    "${HOME-}"/.pyenv/versions/*/bin "${HOME-}"/.local/share/uv/python/*/bin \
    "${LOCALAPPDATA:-/nonexistent}"/Programs/Python/Python3*; do
    # Apple's /usr/bin/python3 opens a dialogue if the developer tools are not there.
    if [ "$folder" = /usr/bin ] && [ -x /usr/bin/xcode-select ]; then
      /usr/bin/xcode-select -p >/dev/null 2>&1 || continue
    fi
    for name in python3 python3.14 python3.13 python3.12 python3.11 python3.10 python3.9 python; do
      [ -x "$folder/$name" ] && [ ! -d "$folder/$name" ] && "$callback" "$folder/$name" && return 0
    done
  done
  command -v py >/dev/null 2>&1 && "$callback" py -3
}
