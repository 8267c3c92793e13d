import type { HighlightAnswer, HighlightRequest } from './highlightMessages';
import type { Language } from './languageOf';

type Receiver = (from: number, lines: HighlightAnswer['lines']) => void;

let worker: Worker | null | undefined;
let nextId = 0;
const receivers = new Map<number, { receive: Receiver; left: number }>();

function startWorker(): Worker | null {
  if (worker !== undefined) {
    return worker;
  }
  try {
    worker = new Worker(new URL('./highlight.worker.ts', import.meta.url), { type: 'module' });
  } catch {
    worker = null;
    return null;
  }
  worker.addEventListener('message', ({ data }: MessageEvent<HighlightAnswer>) => {
    const entry = receivers.get(data.id);
    if (entry !== undefined) {
      entry.left -= data.lines.length;
      if (entry.left <= 0) {
        receivers.delete(data.id);
      }
      entry.receive(data.from, data.lines);
    }
  });
  return worker;
}

/** Asks for the colours of consecutive lines. They arrive in parts, or never: text is readable without them. */
export function requestHighlight(language: Language, lines: readonly string[], receive: Receiver): void {
  const id = nextId;
  nextId += 1;
  const request: HighlightRequest = { id, language, lines };
  const started = startWorker();
  if (started !== null && lines.length > 0) {
    receivers.set(id, { receive, left: lines.length });
    started.postMessage(request);
  }
}
