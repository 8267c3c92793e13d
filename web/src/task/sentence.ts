/** The first line of a server's message as the start of a sentence: `it waits for T-1` is `Waits for T-1`. */
export function sentence(message: string): string {
  const line = (message.split('\n')[0] ?? '').replace(/^it (?=waits|is |has |was )/i, '');
  return line.charAt(0).toUpperCase() + line.slice(1);
}
