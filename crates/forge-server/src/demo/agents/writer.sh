# Lists the conversions in the README. What it writes about must have landed before.
AGENT=writer
for conversion in $(field describes); do
    test -f "units.d/$conversion.sh"
done
{
    sed '/^## Conversions/,$d' README.md
    printf '\n## Conversions\n\n'
    for file in units.d/*.sh; do
        echo "- \`$(basename "$file" .sh)\`"
    done
} > README.new
mv README.new README.md
sh tests/run.sh
save "List the conversions"
