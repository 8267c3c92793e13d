# A scripted agent that speaks the Agent Client Protocol, one line at a time. It appends each prompt to $PLACE/told, answers a
# prompt when it is cancelled, and finishes after it has received word-end.
pending=
answer() { printf '%s\n' "{\"jsonrpc\":\"2.0\",\"id\":$1,\"result\":$2}"; }
while IFS= read -r line; do
  id=$(printf '%s' "$line" | sed -nE 's/.*"id":("[^"]*"|[0-9]+).*/\1/p')
  case $line in
    *'"method":"initialize"'*) answer "$id" '{"protocolVersion":1,"agentCapabilities":{"loadSession":true}}' ;;
    *'"method":"session/new"'*) answer "$id" '{"sessionId":"s-1"}' ;;
    *'"method":"session/load"'*) answer "$id" '{}' ;;
    *'"method":"session/cancel"'*)
      [ -z "$pending" ] || answer "$pending" '{"stopReason":"cancelled"}'
      pending= ;;
    *'"method":"session/prompt"'*)
      printf '%s\n' "$line" >>"$PLACE/told"
      echo up >"$PLACE/ups"
      if grep -q word-end "$PLACE/told"; then
        echo told >told.txt
        answer "$id" '{"stopReason":"end_turn"}'
      else
        pending=$id
      fi ;;
  esac
done
