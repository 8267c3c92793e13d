#!/bin/sh
# Usage: sh units.sh CONVERSION NUMBER
set -eu
cd "$(dirname "$0")"

conversion=${1-}
number=${2-}
case $conversion in
    '' | *[!a-z-]*) echo "usage: sh units.sh CONVERSION NUMBER" >&2; exit 2 ;;
esac
if [ ! -f "units.d/$conversion.sh" ]; then
    echo "unknown conversion: $conversion" >&2
    exit 2
fi
. "./units.d/$conversion.sh"
