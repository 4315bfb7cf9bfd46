import type {Cases} from '../api/contracts.js';
import {t} from '../texts/texts.js';
import {me} from './session.js';

/** This user as a participant of a case; undefined if the user does not take part in it. */
export const partIn = (one: Cases.ArbitrationCase): Cases.Participant | undefined => one.participants.find(each => each.userID === me.id);

/** The ID of the party for which this user acts; empty for an observer or a user who does not take part. */
export function sideIn(one: Cases.ArbitrationCase): string {
  const part = partIn(one);
  return part && !part.isObserver ? part.partyID : '';
}

/** Whether this user acts as case manager or arbitrator. */
export const decidesIn = (one: Cases.ArbitrationCase): boolean => ['caseManager', 'arbitrator'].includes(sideIn(one));

/** The reason why this user may add nothing to a case; undefined if the user may. */
export function whyNot(one: Cases.ArbitrationCase): string | undefined {
  const part = partIn(one);
  if (one.status === 'closed') {
    return t.may.closed;
  }
  return !part ? t.may.outsider : part.isObserver ? t.may.observer : part.mayFile ? undefined : t.may.restricted;
}
