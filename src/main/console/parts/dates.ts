import {now} from '../api/call.js';
import {language, t} from '../texts/texts.js';
import {dayIn} from './zones.js';

const DAY_MILLIS = 86_400_000;
const locale = (): string => language() === 'de' ? 'de-DE' : 'en-GB';
const formats = new Map<string, Intl.DateTimeFormat>();

function format(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = locale() + JSON.stringify(options);
  let made = formats.get(key);
  if (!made) {
    made = new Intl.DateTimeFormat(locale(), options);
    formats.set(key, made);
  }
  return made;
}

/** A day without a time, such as `2026-12-01`, as a date at noon of the browser's time zone, so that the day is the same in every zone. */
const calendarDay = (text: string): Date => new Date(text.slice(0, 10) + 'T12:00:00');

const midnight = (when: Date): number => new Date(when.getFullYear(), when.getMonth(), when.getDate(), 12).getTime();

/** The number of days from `from`, which is today by default; negative for a day before it. */
export const daysFrom = (when: Date, from = now()): number => Math.round((midnight(when) - midnight(from)) / DAY_MILLIS);

/** As in: Tuesday, 1 December 2026. */
export const longDay = (text: string): string => format({weekday: 'long', day: 'numeric', month: 'long', year: 'numeric'}).format(calendarDay(text));
/** As in: 1 December 2026. The blanks do not break a line. */
export const day = (text: string): string => format({day: 'numeric', month: 'long', year: 'numeric'}).format(calendarDay(text)).replaceAll(' ', '\u00a0');
/** The current day in words, such as: Tuesday, 1 December. */
export const today = (): string => format({weekday: 'long', day: 'numeric', month: 'long'}).format(now());
/** The calendar day of a point in time in the time zone of the browser, such as `2026-12-01`. */
export const localDay = (timestamp: string): string => {
  const when = new Date(timestamp);
  return `${when.getFullYear()}-${String(when.getMonth() + 1).padStart(2, '0')}-${String(when.getDate()).padStart(2, '0')}`;
};
/** The hour and minute of a point in time in the time zone of the browser. */
export const time = (timestamp: string): string => format({hour: '2-digit', minute: '2-digit'}).format(new Date(timestamp));
/** As in: 17 November 2026, 16:02:11 UTC. */
export const exactly = (timestamp: string): string =>
  `${format({day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC'}).format(new Date(timestamp))}, ${format({hour: '2-digit', minute: '2-digit', second: '2-digit', timeZone: 'UTC'}).format(new Date(timestamp))} UTC`;
/** Day and time of a point in time in this time zone, with the name of the zone. */
export const inZone = (timestamp: string, timeZone: string): string => {
  const when = new Date(timestamp);
  return `${format({weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone}).format(when)}, ${format({hour: '2-digit', minute: '2-digit', timeZone, timeZoneName: 'short'}).format(when)}`;
};

/** As in: today, 09:14, or: 17 November, 16:02. The year is added if it is not the current one. */
export function moment(timestamp: string): string {
  const when = new Date(timestamp);
  const days = daysFrom(when);
  if (days === 0 || days === -1) {
    return `${days === 0 ? t.today : t.yesterday}, ${time(timestamp)}`;
  }
  const sameYear = when.getFullYear() === now().getFullYear();
  return `${format({day: 'numeric', month: 'long', ...sameYear ? {} : {year: 'numeric'}}).format(when)}, ${time(timestamp)}`;
}

/** How long ago a point in time is, in a word or two; after yesterday, its day. */
export function ago(timestamp: string): string {
  const minutes = Math.round((now().getTime() - new Date(timestamp).getTime()) / 60_000);
  if (minutes < 60) {
    return minutes < 1 ? t.now : t.minutesAgo(minutes);
  }
  const days = -daysFrom(new Date(timestamp));
  return days === 0 ? t.hoursAgo(Math.round(minutes / 60)) : days === 1 ? t.yesterday : shortDay(new Date(timestamp));
}

function shortDay(when: Date): string {
  return format({day: 'numeric', month: 'short'}).format(when);
}

/** The parts of a case that decide on which day its deadlines end: the time zone of its timetable, and its own clock if it is a sandbox. */
interface Runs {
  readonly now?: string;
  readonly timetable: {readonly timeZone?: string};
}

/**
 * When a deadline ends, in words, such as: 2 days late, today, Tuesday, 4 Dec. It is late only if the platform says that it is missed. Days are
 * counted in the time zone of the case, if it is known.
 */
export function due(text: string, status: 'open' | 'met' | 'missed', inCase?: Runs): {words: string; kind: 'late' | 'near' | ''; isNow: boolean} {
  const zone = inCase?.timetable.timeZone;
  const instant = inCase?.now ?? now().toISOString();
  const when = calendarDay(text);
  const days = daysFrom(when, calendarDay(zone ? dayIn(instant, zone) : localDay(instant)));
  if (status === 'missed') {
    return {words: days < 0 ? t.daysLate(-days) : t.late, kind: 'late', isNow: false};
  }
  if (days === 0 || days === 1) {
    return {words: days === 0 ? t.today : t.tomorrow, kind: 'near', isNow: true};
  }
  return days > 0 && days < 7 ? {words: format({weekday: 'long'}).format(when), kind: 'near', isNow: false} : {words: shortDay(when), kind: days < 0 ? 'near' : '', isNow: false};
}

/** As in: Thu 10:00 within a week, otherwise 4 Dec. */
export function soon(timestamp: string): string {
  const when = new Date(timestamp);
  const days = daysFrom(when);
  return days === 0 ? `${t.today} ${time(timestamp)}` : days > 0 && days < 7 ? `${format({weekday: 'short'}).format(when)} ${time(timestamp)}` : shortDay(when);
}

const numbers = new Map<string, Intl.NumberFormat>();

/** A number with the separators of the user's language. */
export function number(value: number): string {
  const made = numbers.get(locale()) ?? new Intl.NumberFormat(locale());
  numbers.set(locale(), made);
  return made.format(value);
}

/** A number of bytes in B, kB or MB, in steps of 1000. */
export const size = (bytes: number): string => bytes < 1000 ? `${number(bytes)} B` : bytes < 1_000_000
  ? `${number(Math.round(bytes / 1000))} kB` : `${number(Math.round(bytes / 100_000) / 10)} MB`;

const AMOUNT = /^([A-Za-z]{3} )?([+-]?\d+)(?:\.(\d+))?( [A-Za-z]{3})?$/;

/** Groups thousands, as in 2,400,000.00 EUR, and keeps every digit. Text that is not an amount is returned unchanged. */
export function groupThousands(text: string): string {
  const found = AMOUNT.exec(text);
  if (!found) {
    return text;
  }
  const [, before = '', whole = '', decimals = '', after = ''] = found;
  // As text, because a number would lose digits.
  const shown = new Intl.NumberFormat(locale(), {minimumFractionDigits: decimals.length, maximumFractionDigits: decimals.length}).format((decimals ? `${whole}.${decimals}` : whole) as Intl.StringNumericLiteral);
  return `${before}${shown}${after}`;
}
