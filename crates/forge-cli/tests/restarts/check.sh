# A project's check: every part must be whole. It appends the checked tree to $PLACE/tested. If $PLACE/hold-* exists, the
# check that renames it blocks until it is ended; only one can, because the rename succeeds once.
case $(pwd) in */_merge-*) where=trial ;; *) where=gate ;; esac
if mv "$PLACE/hold-$where" "$PLACE/held-$where" 2>/dev/null; then
  echo up >"$PLACE/ups"
  exec tail -f /dev/null
fi
for part in part-*; do
  grep -qx whole "$part" || exit 1
done
git rev-parse 'HEAD^{tree}' >>"$PLACE/tested"
