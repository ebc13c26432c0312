# Sourced by the commands in hooks.json with $hook set: `stop` decides about a dream, `start` prints
# the notice. Finds a Python and gives it the work. Exit 0 whatever happens, and no word of anybody's
# on stdout or stderr: a client shows both, and takes exit 2 for "go on working".
#
# The interpreter that did the work last time is remembered in the state folder, by its real path: a
# version manager's shim costs several times what the hook does. On that way nothing is forked but the
# interpreter itself. Not `exec`: one that broke since it was remembered must not break the hook.

root=$CLAUDE_PLUGIN_ROOT
state=${CLAUDE_CONFIG_DIR:-${HOME-}/.claude}/agentops
code='import sys
if sys.version_info < (3, 9): sys.exit(9)
sys.path.insert(0, sys.argv[1])
if sys.argv[2] == "stop": from agentops_dream.dispatch import main
else: from agentops_dream.notice import main
main(sys.argv[1])'

# Byte code goes beside the plugin; where that cannot be written, into the folder for plugin data.
bytecode=
[ -w "$root/agentops_dream" ] || bytecode=${CLAUDE_PLUGIN_DATA:-$state}/pycache

work() {
  set -- "$@" -I -S -X utf8 ${bytecode:+-X "pycache_prefix=$bytecode"} -c "$code" "$root" "$hook"
  if [ "$hook" = stop ]; then
    "$@" >/dev/null
  else
    # Whole or not at all: what a broken interpreter says is not for the client.
    said=$("$@") && printf %s "$said"
  fi
}

nobody() {
  [ -e "$state/no-python" ] && return
  mkdir -p -m 700 "$state"
  say="agentops dreaming found no Python 3.9 or newer, so it does nothing; install one from python.org or your package manager"
  printf '%s %s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$say" >>"$state/dream.log" || return
  : >"$state/no-python"
}

{
  python=
  IFS= read -r python <"$state/python"
  if [ ! -x "$python" ] || ! work "$python"; then
    . "$root/hooks/find-python.sh" && { find_python work || nobody; }
  fi
} 2>/dev/null
exit 0
