import type {Cases} from '../api/contracts.js';
import {t} from '../texts/texts.js';
import {currentUser} from './session.js';

/** This user as a participant of a case; undefined if the user does not take part in it. */
export const participantOf = (one: Cases.ArbitrationCase): Cases.Participant | undefined => one.participants.find(each => each.userID === currentUser.id);

/** The ID of the party for which this user acts; empty for an observer or a user who does not take part. */
export function partyOf(one: Cases.ArbitrationCase): string {
  const part = participantOf(one);
  return part && !part.isObserver ? part.partyID : '';
}

/** Whether this user acts as case manager or arbitrator. */
export const isTribunalMember = (one: Cases.ArbitrationCase): boolean => ['caseManager', 'arbitrator'].includes(partyOf(one));

/** The reason why this user may add nothing to a case; undefined if the user may. */
export function reasonNotToAdd(one: Cases.ArbitrationCase): string | undefined {
  const part = participantOf(one);
  if (one.status === 'closed') {
    return t.may.closed;
  }
  return !part ? t.may.outsider : part.isObserver ? t.may.observer : part.mayFile ? undefined : t.may.restricted;
}
