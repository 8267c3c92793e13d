// biome-ignore-all lint/suspicious/noControlCharactersInRegex: terminals are driven by control characters
// Everything but colours: cursor movement, titles and links (OSC), and two-letter escapes.
const OTHER_SEQUENCES =
  /\u001b(?:\[[0-?]*[ -/]*[@-ln-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[PX^_][^\u001b]*\u001b\\|[@-Z\\-_])/g;
const ALL_SEQUENCES =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[PX^_][^\u001b]*\u001b\\|[@-Z\\-_])/g;
const OTHER_CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f]/g;

/** Of a line that was written over with a carriage return, what was visible last. */
function lastWritten(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(/[^\n]*\r(?=[^\n])/g, '');
}

/** Terminal output with its colour codes and nothing else that steers a terminal. */
export function colourText(text: string): string {
  return lastWritten(text.replaceAll(OTHER_SEQUENCES, '')).replaceAll(OTHER_CONTROLS, '');
}

/** Terminal output without any control sequence. */
export function plainText(text: string): string {
  return lastWritten(text.replaceAll(ALL_SEQUENCES, '')).replaceAll(OTHER_CONTROLS, '');
}
