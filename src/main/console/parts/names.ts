import {ask} from '../api/call.js';
import {type Cases, listSchemas, listUserProfiles} from '../api/contracts.js';
import {fullName, me} from './session.js';

/** What the institution calls its parties, phases and documents, and what people are called. Read once. */
let schemas: Cases.CaseSchemas = {parties: [], phases: [], documents: [], evidence: []};
let reading: Promise<void> | undefined;
const people = new Map<string, string>();

export function readSchemas(): Promise<void> {
  reading ??= ask(listSchemas, {}).then(read => { schemas = read; }, failed => {
    reading = undefined;
    throw failed;
  });
  return reading;
}

export const phases = (): Cases.SchemaPhase[] => schemas.phases;
export const documentOf = (id: string): Cases.DocumentSchema | undefined => schemas.documents.find(one => one.id === id);
export const documents = (): Cases.DocumentSchema[] => schemas.documents;
export const documentName = (id: string): string => documentOf(id)?.displayName ?? id;
export const partyName = (id: string): string => schemas.parties.find(one => one.id === id)?.displayName ?? id;
export const phaseName = (id: string): string => schemas.phases.find(one => one.id === id)?.displayName ?? id;
export const evidenceTypes = (): Cases.SchemaEvidenceType[] => schemas.evidence;
export const evidenceName = (id: string): string => schemas.evidence.find(one => one.id === id)?.displayName ?? id;
export const parties = (): Cases.SchemaParty[] => schemas.parties;

const PEOPLE_AT_ONCE = 1000;
/** From so many participants on, a screen does not just list them all: they stand by side, are counted, and are found by name. */
export const MANY_PEOPLE = 30;

/** Learns the names of these people. Who is not public has none. */
export async function meet(ids: Iterable<string>): Promise<void> {
  people.set(me.id, fullName(me));
  const unknown = [...new Set(ids)].filter(id => !people.has(id)).slice(0, PEOPLE_AT_ONCE);
  if (unknown.length > 0) {
    const {profiles} = await ask(listUserProfiles, {userIDs: unknown});
    // Known only now: when nobody answered, they are asked for again.
    unknown.forEach(id => people.set(id, ''));
    profiles.forEach(one => people.set(one.id, fullName(one)));
  }
}

/** Empty for somebody who is not public. */
export const personName = (id: string): string => people.get(id) ?? '';
