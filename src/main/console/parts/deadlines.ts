import type {Cases, Main} from '../api/contracts.js';
import {t} from '../texts/texts.js';
import {day, exactly, inZone} from './dates.js';
import {documentName} from './names.js';
import {dayIn} from './zones.js';

type AnyDeadline = Cases.DeadlineExplanation | Cases.Deadline | Main.DeadlineExplanation;

const HOUR_MILLIS = 3_600_000;
const DAY_MILLIS = 24 * HOUR_MILLIS;

/** The day on which it is due: that of the rule, or that to which it was extended. `timeZone`: of the case's timetable, where it is known. */
export const dueDay = (deadline: AnyDeadline, timeZone?: string): string => deadline.extendedFrom ? lastDay(deadline, deadline.date, timeZone) : deadline.rolledDate;

/** Whether the party must file it in some phase; otherwise it may do so until then. */
export const isRequired = (deadline: Cases.Deadline, inCase: Cases.ArbitrationCase | undefined): boolean =>
  inCase?.timetable.phases.some(phase => phase.documents.some(one => one.required && one.documentID === deadline.documentID)) ?? false;

/** Orders by date; on the same day, required documents come first. */
export function byDay(one: Cases.Deadline, other: Cases.Deadline, caseOf: (deadline: Cases.Deadline) => Cases.ArbitrationCase | undefined): number {
  const day = (each: Cases.Deadline) => dueDay(each, caseOf(each)?.timetable.timeZone);
  return day(one).localeCompare(day(other)) || Number(isRequired(other, caseOf(other))) - Number(isRequired(one, caseOf(one)));
}

/** Why this date: the rule, what set it going, the roll over days without work, and more time that was given. */
export function why(deadline: AnyDeadline, timeZone?: string): string {
  const sentences = [t.why.rule(rule(deadline.rule), day(timeZone ? dayIn(deadline.trigger, timeZone) : shifted(deadline.trigger, offsetMillis(deadline))))];
  if (deadline.rawDate !== deadline.rolledDate) {
    sentences.push(t.why.rolled(day(deadline.rawDate), day(deadline.rolledDate)));
  }
  if (deadline.extendedFrom) {
    sentences.push(t.why.extended(day(deadline.rolledDate), day(dueDay(deadline, timeZone))));
  }
  return sentences.join(' ');
}

/** To the second, for whoever files on the last day: in the zone of the case, where it is known, and in UTC. */
export const until = (deadline: AnyDeadline, timeZone?: string): string => timeZone ? t.why.end(inZone(deadline.date, timeZone), exactly(deadline.date)) : exactly(deadline.date);

/** The day at whose end something ends that is granted or asked for in place of a deadline's date. */
function lastDay(deadline: AnyDeadline, instant: string, timeZone: string | undefined): string {
  // Without the zone its offset is that of the deadline by its rule; the hour less sets right what a change of clocks until then makes of the end of a day.
  return timeZone ? dayIn(instant, timeZone) : shifted(instant, offsetMillis(deadline) - HOUR_MILLIS);
}

/** What the clocks of the rule set's zone are ahead of UTC at the deadline by its rule, which is the last millisecond of the rolled day there. */
const offsetMillis = (deadline: AnyDeadline): number => Date.parse(deadline.rolledDate) + DAY_MILLIS - 1 - Date.parse(deadline.extendedFrom ?? deadline.date);

const shifted = (instant: string, millis: number): string => new Date(Date.parse(instant) + millis).toISOString().slice(0, 10);

const RULE = /^(\d+) (calendar|working) days? from the (start of the phase|creation of the case|docketing of (?:the )?(\w+))(?:; working days of ([A-Z-]+)( and of the institution)?)?$/;

/** The platform says rules in English; one that is said in another way than usual stays as it is. */
function rule(said: string): string {
  const found = RULE.exec(said);
  if (!found) {
    return said;
  }
  const from = found[4] ? t.why.docketed(documentName(found[4])) : found[3] === 'start of the phase' ? t.why.phaseStart : t.why.caseCreated;
  const counted = t.why.days(Number(found[1]), found[2] === 'working', from);
  return found[5] ? `${counted}; ${t.why.workingDays(found[5], found[6] !== undefined)}` : counted;
}
