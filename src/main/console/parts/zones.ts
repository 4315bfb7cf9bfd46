/** What the clocks of a zone show at a point in time: `2027-03-04T10:00`. */
export function wallTime(when: Date, timeZone: string): string {
  const parts = new Map(new Intl.DateTimeFormat('en-GB', {timeZone, year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', hourCycle: 'h23'})
    .formatToParts(when).map(part => [part.type, part.value]));
  return `${parts.get('year')?.padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}T${parts.get('hour')}:${parts.get('minute')}`;
}

/** The point in time at which the clocks of a zone show this; undefined when they skip it. Of two, where clocks are set back, one. */
export function pointIn(timeZone: string, shown: string): Date | undefined {
  const asUtc = Date.parse(`${shown}Z`);
  if (Number.isNaN(asUtc)) {
    return undefined;
  }
  // The offset of the zone is that of a time nearby at first; the second round sets right what a change of clocks between them made wrong.
  let at = asUtc;
  for (let round = 0; round < 2; round++) {
    at -= Date.parse(`${wallTime(new Date(at), timeZone)}Z`) - asUtc;
  }
  return wallTime(new Date(at), timeZone) === shown ? new Date(at) : undefined;
}
