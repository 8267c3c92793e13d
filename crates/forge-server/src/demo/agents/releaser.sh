# Writes the version down. A big release is tested for as long as no other comes first, which is how it comes too late.
AGENT=releaser
version=$(field version)
began_at=$(git merge-base main HEAD)
echo "$version" > VERSION
sh tests/run.sh
save "Release $version"
rounds=$(field patience)
while [ "${rounds:-0}" -gt 0 ] && [ "$(git show main:VERSION)" = "$(git show "$began_at":VERSION)" ]; do
    sh tests/run.sh
    rounds=$((rounds - 1))
done
