/** Whether a time limit has not passed at that moment. */
export function isIgnored(until: string | null, now: Date): boolean {
  return until !== null && Date.parse(until) > now.getTime();
}
