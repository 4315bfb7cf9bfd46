/** One format for each time zone. Creating a format takes longer than using it some hundred times. */
const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known) {
    return known;
  }
  const made = new Intl.DateTimeFormat('en-GB', {timeZone, year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', hourCycle: 'h23'});
  clocks.set(timeZone, made);
  return made;
}

/** The local date and time in a time zone at a point in time, such as `2027-03-04T10:00`. */
export function localTime(when: Date, timeZone: string): string {
  const parts = new Map(clockOf(timeZone).formatToParts(when).map(part => [part.type, part.value]));
  return `${parts.get('year')?.padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}T${parts.get('hour')}:${parts.get('minute')}`;
}

/** The calendar day in a time zone at a point in time, such as `2027-03-04`. */
export const dayIn = (timestamp: string, timeZone: string): string => localTime(new Date(timestamp), timeZone).slice(0, 10);

const DAY_MILLIS = 86_400_000;

/**
 * The last millisecond of a day in a time zone, at which deadlines end. A day has 23 or 25 hours when clocks change, and begins at 01:00 where the
 * change skips midnight.
 */
export function lastInstantOfDay(day: string, timeZone: string): Date {
  const next = new Date(Date.parse(day) + DAY_MILLIS).toISOString().slice(0, 10);
  const begins = instantOf(timeZone, `${next}T00:00`) ?? instantOf(timeZone, `${next}T01:00`);
  if (!begins) {
    throw new Error(`no beginning of ${next} in ${timeZone}`);
  }
  return new Date(begins.getTime() - 1);
}

/**
 * The point in time at which clocks in a time zone show `shown`, such as `2027-03-04T10:00`. Undefined if a clock change skips it. If a clock change
 * repeats it, one of the two.
 */
export function instantOf(timeZone: string, shown: string): Date | undefined {
  const asUtc = Date.parse(`${shown}Z`);
  if (Number.isNaN(asUtc)) {
    return undefined;
  }
  // The first round uses the offset at a nearby time. If clocks change between that time and the result, the second round corrects it.
  let at = asUtc;
  for (let round = 0; round < 2; round++) {
    at -= Date.parse(`${localTime(new Date(at), timeZone)}Z`) - asUtc;
  }
  return localTime(new Date(at), timeZone) === shown ? new Date(at) : undefined;
}
