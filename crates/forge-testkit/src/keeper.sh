# Stops a temporary PostgreSQL cluster once no test uses it. A test process counts as a user while it lives, so it needs
# no cleanup of its own, and SIGKILL leaves nothing behind.
#   $1  the directory in which test processes create a file named after their pid
#   $2  the cluster's directory
#   $3  the directory through which tests share the cluster; renamed first, so that later tests start another one
in_use() {
    for user in "$1"/*; do
        [ -e "$user" ] || continue
        kill -0 "${user##*/}" 2>/dev/null && return 0
        rm -f "$user"
    done
    return 1
}
idle=0
while [ "$idle" -lt 4 ]; do
    sleep 0.5
    if in_use "$1"; then idle=0; else idle=$((idle + 1)); fi
done
# A unique name: an earlier cluster may still be waiting for its last users.
ended="$3.ended.$$"
mv "$3" "$ended"
# Tests that registered between the last check and the rename may finish.
while in_use "$ended/users"; do sleep 0.5; done
read -r postmaster < "$2/data/postmaster.pid" && kill -QUIT "$postmaster"
while [ -n "$postmaster" ] && kill -0 "$postmaster" 2>/dev/null; do sleep 0.1; done
rm -rf "$2" "$ended"
