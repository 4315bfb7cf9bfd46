import type {Cases} from '../api/contracts.js';
import {t} from '../texts/texts.js';
import {me} from './session.js';

/** What this person is in a case; undefined for whoever has no part in it. */
export const partIn = (one: Cases.ArbitrationCase): Cases.Participant | undefined => one.participants.find(each => each.userID === me.id);

/** The party that this person acts for, and not only watches. */
export function sideIn(one: Cases.ArbitrationCase): string {
  const part = partIn(one);
  return part && !part.isObserver ? part.partyID : '';
}

/** Case manager and arbitrators. */
export const decidesIn = (one: Cases.ArbitrationCase): boolean => ['caseManager', 'arbitrator'].includes(sideIn(one));

/** Why this person may add nothing to a case; undefined when they may. */
export function whyNot(one: Cases.ArbitrationCase): string | undefined {
  const part = partIn(one);
  if (one.status === 'closed') {
    return t.may.closed;
  }
  return !part ? t.may.outsider : part.isObserver ? t.may.observer : part.mayFile ? undefined : t.may.restricted;
}
