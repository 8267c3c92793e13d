# Sourced by every script: stand in the workspace root, with the project's own tools on the path.
# shellcheck shell=bash

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

# Tools live beside the build, so that nothing is installed into a person's own cargo directory.
export FORGE_TOOLS_DIR="${FORGE_TOOLS_DIR:-$PWD/target/tools}"
export PATH="$FORGE_TOOLS_DIR/bin:$PATH"

# The stamps describe this clone (node_modules, dist), so they stay in it even when cargo builds elsewhere.
STAMPS="$PWD/target/stamps"
mkdir -p "$STAMPS"

say() {
  printf '== %s\n' "$*"
}

die() {
  printf '== %s\n' "$*" >&2
  exit 1
}

# fresh NAME DIGEST OUTPUT: whether OUTPUT was made from exactly DIGEST.
fresh() {
  [[ -e $3 && -f $STAMPS/$1 && $(<"$STAMPS/$1") == "$2" ]]
}

# stamp NAME DIGEST
stamp() {
  printf '%s\n' "$2" >"$STAMPS/$1"
}
