import { showToast } from './toastStore';

/** Copies a text and says so, or shows the text if the browser refuses. */
export function copyText(text: string, done: string): void {
  navigator.clipboard.writeText(text).then(
    () => showToast({ text: done, tone: 'info' }),
    () => showToast({ text: `The browser does not allow copying. The text is ${text}`, tone: 'failed' }),
  );
}
