const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** A moment, in the person's own time zone and way of writing. */
export function Time({ at }: { at: string }) {
  const moment = new Date(at);
  const text = Number.isNaN(moment.getTime()) ? at : format.format(moment);
  return <time dateTime={at}>{text}</time>;
}
