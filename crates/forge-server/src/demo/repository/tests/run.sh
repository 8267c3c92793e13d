#!/bin/sh
# Every conversion has cases, lines of "NUMBER = RESULT", and every case comes true.
set -eu
cd "$(dirname "$0")/.."

wrong=0
for file in units.d/*.sh; do
    conversion=$(basename "$file" .sh)
    if [ ! -s "tests/cases/$conversion" ]; then
        echo "$conversion has no cases"
        wrong=1
        continue
    fi
    while read -r number _ result; do
        found=$(sh units.sh "$conversion" "$number")
        if [ "$found" != "$result" ]; then
            echo "$conversion $number gives $found, not $result"
            wrong=1
        fi
    done < "tests/cases/$conversion"
done
exit "$wrong"
