const MICROS = 1_000_000;

/** Millionths of a dollar as people write an amount. */
export function dollars(micros: number): string {
  return `$${(micros / MICROS).toFixed(2)}`;
}

/** A count of tokens in thousands or millions: `412k`, `1.2M`. */
export function tokenCount(count: number): string {
  if (count < 1_000) {
    return String(count);
  }
  return count < 1_000_000 ? `${Math.round(count / 1_000)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}
