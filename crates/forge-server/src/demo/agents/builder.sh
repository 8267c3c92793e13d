# Adds a conversion with its cases, and hands in what passes.
AGENT=builder
conversion=$(field conversion)
echo "adding $conversion"
printf 'echo "$((%s))"\n' "$(field formula)" > "units.d/$conversion.sh"
field case > "tests/cases/$conversion"
sh tests/run.sh
save "Add $conversion"
