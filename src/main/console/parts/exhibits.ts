import {ask} from '../api/call.js';
import {type Main, viewEvidenceUpload} from '../api/contracts.js';

/** The prefix of the exhibit numbers of a party, by case ID and party ID. It never changes. */
const prefixes = new Map<string, string>();

/**
 * The exhibit number of each upload, such as C-1, by upload ID. The list does not contain the numbers, but a single upload does. So the first upload
 * of each party is read, and the others are counted on from there: the numbers of a party have no gap, and a user who sees one exhibit of a party
 * sees all before it.
 */
export async function exhibitNumbers(caseID: string, uploads: Main.EvidenceUpload[]): Promise<Map<string, string>> {
  const firsts = new Map<string, string>();
  uploads.forEach(({partyID, uploadID}) => firsts.set(partyID, firsts.get(partyID) ?? uploadID));
  await Promise.all([...firsts].filter(([partyID]) => !prefixes.has(`${caseID} ${partyID}`)).map(async ([partyID, uploadID]) => {
    const {exhibitNumber} = await ask(viewEvidenceUpload, {caseID, uploadID});
    prefixes.set(`${caseID} ${partyID}`, exhibitNumber.replace(/\d+$/, ''));
  }));
  const counts = new Map<string, number>();
  return new Map(uploads.map(({partyID, uploadID}) => {
    const count = (counts.get(partyID) ?? 0) + 1;
    counts.set(partyID, count);
    return [uploadID, `${prefixes.get(`${caseID} ${partyID}`) ?? ''}${count}`];
  }));
}
