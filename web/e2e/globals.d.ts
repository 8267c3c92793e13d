declare global {
  interface Window {
    /** Which columns each card was seen in, in order; set by the browser flow. */
    seenStates?: Record<string, string[]>;
  }
}

export {};
