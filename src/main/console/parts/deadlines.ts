import type {Cases, Main} from '../api/contracts.js';
import {t} from '../texts/texts.js';
import {day, exactly, inZone} from './dates.js';
import {documentName} from './names.js';
import {dayIn} from './zones.js';

type AnyDeadline = Cases.DeadlineExplanation | Cases.Deadline | Main.DeadlineExplanation;

const HOUR_MILLIS = 3_600_000;
const DAY_MILLIS = 24 * HOUR_MILLIS;

/** The last day of a deadline: by its rule, or as it was extended. `timeZone` is that of the case's timetable, if it is known. */
export const dueDay = (deadline: AnyDeadline, timeZone?: string): string => deadline.extendedFrom ? lastDay(deadline, deadline.date, timeZone) : deadline.rolledDate;

/** Whether some phase requires the document. Without that, the party may file it until the deadline but need not. */
export const isRequired = (deadline: Cases.Deadline, inCase: Cases.ArbitrationCase | undefined): boolean =>
  inCase?.timetable.phases.some(phase => phase.documents.some(one => one.required && one.documentID === deadline.documentID)) ?? false;

/** Orders by date; on the same day, required documents come first. */
export function compareDueDays(one: Cases.Deadline, other: Cases.Deadline, caseOf: (deadline: Cases.Deadline) => Cases.ArbitrationCase | undefined): number {
  const day = (each: Cases.Deadline) => dueDay(each, caseOf(each)?.timetable.timeZone);
  return day(one).localeCompare(day(other)) || Number(isRequired(other, caseOf(other))) - Number(isRequired(one, caseOf(one)));
}

/** Explains the date of a deadline: its rule, the event that started it, the move to the next working day, and the extension. */
export function explainDate(deadline: AnyDeadline, timeZone?: string): string {
  const sentences = [t.why.rule(rule(deadline.rule), day(timeZone ? dayIn(deadline.trigger, timeZone) : shifted(deadline.trigger, offsetMillis(deadline))))];
  if (deadline.rawDate !== deadline.rolledDate) {
    sentences.push(t.why.rolled(day(deadline.rawDate), day(deadline.rolledDate)));
  }
  if (deadline.extendedFrom) {
    sentences.push(t.why.extended(day(deadline.rolledDate), day(dueDay(deadline, timeZone))));
  }
  return sentences.join(' ');
}

/** The end of a deadline to the second, in the time zone of the case if it is known, and in UTC. */
export const until = (deadline: AnyDeadline, timeZone?: string): string => timeZone ? t.why.end(inZone(deadline.date, timeZone), exactly(deadline.date)) : exactly(deadline.date);

/** The day at whose end `instant` lies. `instant` is the end of an extension that was granted or requested. */
function lastDay(deadline: AnyDeadline, instant: string, timeZone: string | undefined): string {
  // Without the time zone, the offset on the day of the rule is used. Clocks may change between the two days, so an hour is subtracted; the end of a
  // day then still lies on the same day.
  return timeZone ? dayIn(instant, timeZone) : shifted(instant, offsetMillis(deadline) - HOUR_MILLIS);
}

/**
 * The offset of the rule set's time zone from UTC. By its rule, the deadline is the last millisecond of the rolled day in that zone, so the
 * difference to that millisecond in UTC is the offset.
 */
const offsetMillis = (deadline: AnyDeadline): number => Date.parse(deadline.rolledDate) + DAY_MILLIS - 1 - Date.parse(deadline.extendedFrom ?? deadline.date);

const shifted = (instant: string, millis: number): string => new Date(Date.parse(instant) + millis).toISOString().slice(0, 10);

const RULE = /^(\d+) (calendar|working) days? from the (start of the phase|creation of the case|docketing of (?:the )?(\w+))(?:; working days of ([A-Z-]+)( and of the institution)?)?$/;

/** The rule in the language of the user. The platform writes rules in English; one that does not match the usual pattern is returned unchanged. */
function rule(said: string): string {
  const found = RULE.exec(said);
  if (!found) {
    return said;
  }
  const from = found[4] ? t.why.docketed(documentName(found[4])) : found[3] === 'start of the phase' ? t.why.phaseStart : t.why.caseCreated;
  const counted = t.why.days(Number(found[1]), found[2] === 'working', from);
  return found[5] ? `${counted}; ${t.why.workingDays(found[5], found[6] !== undefined)}` : counted;
}
