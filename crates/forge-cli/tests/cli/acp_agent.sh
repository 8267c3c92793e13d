# A scripted agent that speaks the Agent Client Protocol, one line at a time. It appends each prompt to $HOME/told. A first
# prompt is answered only after it is cancelled; the pipe $HOME/up reports its start.
pending=
say() { printf '%s\n' "$1"; }
answer() { say "{\"jsonrpc\":\"2.0\",\"id\":$1,\"result\":$2}"; }
words() {
  say "{\"jsonrpc\":\"2.0\",\"method\":\"session/update\",\"params\":{\"sessionId\":\"s-1\",\"update\":{\"sessionUpdate\":\"agent_message_chunk\",\"content\":{\"type\":\"text\",\"text\":\"$1\"}}}}"
  say "{\"jsonrpc\":\"2.0\",\"method\":\"session/update\",\"params\":{\"sessionId\":\"s-1\",\"update\":{\"sessionUpdate\":\"usage_update\",\"used\":10,\"size\":1000,\"cost\":{\"amount\":0.5,\"currency\":\"USD\"}}}}"
}
while IFS= read -r line; do
  id=$(printf '%s' "$line" | sed -nE 's/.*"id":("[^"]*"|[0-9]+).*/\1/p')
  case $line in
    *'"method":"initialize"'*) answer "$id" '{"protocolVersion":1,"agentCapabilities":{"loadSession":true}}' ;;
    *'"method":"session/new"'*) answer "$id" '{"sessionId":"s-1"}' ;;
    *'"method":"session/load"'*) echo loaded >>"$HOME/told"; answer "$id" '{}' ;;
    *'"method":"session/cancel"'*) answer "$pending" '{"stopReason":"cancelled"}' ;;
    *'"method":"session/prompt"'*)
      printf '%s\n' "$line" | sed -nE 's/.*"text":"(.*)"[^"]*$/\1/p' >>"$HOME/told"
      case $line in
        *'Wait for word'*) pending=$id; echo up >"$HOME/up" ;;
        *) echo told >told.txt; words done; answer "$id" '{"stopReason":"end_turn"}' ;;
      esac ;;
  esac
done
