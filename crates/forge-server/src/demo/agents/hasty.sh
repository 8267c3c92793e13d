# Adds a conversion like the builder, but forgets the last term and hands in untested; listens to what the checks say.
AGENT=hasty
conversion=$(field conversion)
formula=$(field formula)
if was_rejected; then
    echo "reading what was wrong"
    sh tests/run.sh || echo "mending it"
else
    formula=${formula% + *}
fi
printf 'echo "$((%s))"\n' "$formula" > "units.d/$conversion.sh"
field case > "tests/cases/$conversion"
save "Add $conversion"
