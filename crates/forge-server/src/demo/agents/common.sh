# What every agent of the demonstration can do. The prompt is in $FORGE_PROMPT_FILE, the work tree is where we stand.

# The values of the "name: value" lines of the prompt.
field() {
    sed -n "s/^$1: //p" "$FORGE_PROMPT_FILE"
}

was_rejected() {
    grep -q '^## What was wrong' "$FORGE_PROMPT_FILE"
}

# A turn that is repeated after a crash may find everything committed.
save() {
    git add --all
    git diff --cached --quiet ||
        git -c user.name="$AGENT" -c user.email=agent@localhost -c commit.gpgSign=false \
            commit --quiet --no-verify --message "$1"
}
