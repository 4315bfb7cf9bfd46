import {ask} from '../api/call.js';
import {type Cases, listSchemas, listUserProfiles} from '../api/contracts.js';
import {currentUser, fullName} from './session.js';

/** The names of parties, phases and documents in this institution, which are read once. */
let schemas: Cases.CaseSchemas = {parties: [], phases: [], documents: [], evidence: []};
let reading: Promise<void> | undefined;
const people = new Map<string, string>();

/** Loads the schemas. After a failure, the next call tries again. */
export function loadSchemas(): Promise<void> {
  reading ??= ask(listSchemas, {}).then(read => { schemas = read; }, failed => {
    reading = undefined;
    throw failed;
  });
  return reading;
}

/** The phases of the institution. */
export const phases = (): Cases.SchemaPhase[] => schemas.phases;
/** The schema of a document type; undefined if there is none. */
export const documentOf = (id: string): Cases.DocumentSchema | undefined => schemas.documents.find(one => one.id === id);
/** The schemas of all document types. */
export const documents = (): Cases.DocumentSchema[] => schemas.documents;
/** The name of a document type, or its ID if it is unknown. */
export const documentName = (id: string): string => documentOf(id)?.displayName ?? id;
/** The name of a party, or its ID if it is unknown. */
export const partyName = (id: string): string => schemas.parties.find(one => one.id === id)?.displayName ?? id;
/** The name of a phase, or its ID if it is unknown. */
export const phaseName = (id: string): string => schemas.phases.find(one => one.id === id)?.displayName ?? id;
/** The categories of evidence. */
export const evidenceTypes = (): Cases.SchemaEvidenceType[] => schemas.evidence;
/** The name of a category of evidence, or its ID if it is unknown. */
export const evidenceName = (id: string): string => schemas.evidence.find(one => one.id === id)?.displayName ?? id;
/** The parties of the institution. */
export const parties = (): Cases.SchemaParty[] => schemas.parties;

const PEOPLE_AT_ONCE = 1000;
/** From this number of participants on, a screen does not simply list them: it groups and counts them by party, and has a search by name. */
export const MANY_PEOPLE = 30;

/**
 * Loads the names of these users, if they are not known. Of more than 1000 unknown users, only the first 1000 are loaded. A user without a public
 * profile has no name.
 */
export async function loadNames(ids: Iterable<string>): Promise<void> {
  people.set(currentUser.id, fullName(currentUser));
  const unknown = [...new Set(ids)].filter(id => !people.has(id)).slice(0, PEOPLE_AT_ONCE);
  if (unknown.length > 0) {
    const {profiles} = await ask(listUserProfiles, {userIDs: unknown});
    // Recorded only after the response, so that the names are asked for again if there was none.
    unknown.forEach(id => people.set(id, ''));
    profiles.forEach(one => people.set(one.id, fullName(one)));
  }
}

/** The name of a user whose name was loaded; empty for a user without a public profile. */
export const personName = (id: string): string => people.get(id) ?? '';
