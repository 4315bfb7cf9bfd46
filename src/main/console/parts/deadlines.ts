import type {Cases, Main} from '../api/contracts.js';
import {t} from '../texts/texts.js';
import {day, exactly, localDay} from './dates.js';
import {documentName} from './names.js';

type AnyDeadline = Cases.DeadlineExplanation | Cases.Deadline | Main.DeadlineExplanation;

/** The day on which it is due: that of the rule, or that to which it was extended. */
export const dueDay = (deadline: AnyDeadline): string => deadline.extendedFrom ? localDay(deadline.date) : deadline.rolledDate;

/** Why this date: the rule, what set it going, the roll over days without work, and more time that was given. */
export function why(deadline: AnyDeadline): string {
  const sentences = [t.why.rule(rule(deadline.rule), day(localDay(deadline.trigger)))];
  if (deadline.rawDate !== deadline.rolledDate) {
    sentences.push(t.why.rolled(day(deadline.rawDate), day(deadline.rolledDate)));
  }
  if (deadline.extendedFrom) {
    sentences.push(t.why.extended(day(localDay(deadline.extendedFrom)), day(localDay(deadline.date))));
  }
  return sentences.join(' ');
}

/** To the second, and in which zone, for whoever files on the last day. */
export const until = (deadline: AnyDeadline): string => exactly(deadline.date);

const RULE = /^(\d+) (calendar|working) days? from the (start of the phase|creation of the case|docketing of (?:the )?(\w+))$/;

/** The platform says rules in English; one that is said in another way than usual stays as it is. */
function rule(said: string): string {
  const found = RULE.exec(said);
  if (!found) {
    return said;
  }
  const from = found[4] ? t.why.docketed(documentName(found[4])) : found[3] === 'start of the phase' ? t.why.phaseStart : t.why.caseCreated;
  return t.why.days(Number(found[1]), found[2] === 'working', from);
}
