/** A case from sign-in to docket through the client, on a platform in the demo profile. */

import {
  CasesApi, Credentials, DocketApi, type DocketFilingEvent, DocumentsApi, ErrorCode, EvidenceApi, FilingsApi, OrganizationsApi, ParticipantsApi,
  PdfTemplatesApi, Platform, PlatformError, Uploads, UsersApi, WebhookUrlsApi, WebhookVerifier, items, itemsAfter,
} from "@arbitration/client";
import { fileAt } from "@arbitration/client/node";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const url = process.argv[2] ?? "http://localhost:8080";

/** A platform that is called as this person. Your identity provider signs the ID token; here it is the one of the demo. */
async function signIn(email: string, first_name: string, last_name: string): Promise<Platform> {
  const answer = await fetch(`${url}/auth/demo/id-token`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email, first_name, last_name }),
  });
  const { idToken } = await answer.json() as { idToken: string };
  // Tokens are renewed, and calls repeated, by the client.
  return new Platform(url, Credentials.signIn("demo", idToken));
}

/** A server as an organization runs it: it verifies, answers at once, and looks at the events afterwards. */
const docketed: DocketFilingEvent[] = [];
let verifier: WebhookVerifier | undefined;
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    const webhook = await verifier!.verify(request.headers, Buffer.concat(chunks));
    // A kind that is newer than this client is "other", and can be passed over.
    if (webhook.kind === "docket_filing") docketed.push(webhook.event);
    response.writeHead(204).end();
  } catch {
    response.writeHead(401).end();
  }
});

async function next(caseID: string): Promise<DocketFilingEvent> {
  for (const end = Date.now() + 20_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const event = docketed.find(({ data }) => data.caseID === caseID);
    if (event) return event;
  }
  throw new Error("no webhook within 20 s");
}

async function play(hook: string): Promise<void> {
  const administrator = await signIn("admin@demo.example", "Ada", "Administrator");
  const claimant = await signIn("clara@clients.example", "Clara", "Claimant");
  const manager = await signIn("maya@typescript.example", "Maya", "Manager");

  // Webhooks go to organizations, and Clara's has a server: this program.
  if ((await new UsersApi(claimant).viewCurrentUser()).organizationID === null) {
    await new OrganizationsApi(claimant).createOrganization({ name: "Claimant Shipping GmbH" });
  }
  const urls = new WebhookUrlsApi(claimant);
  const { secret } = await urls.createWebhookUrl({ url: hook });
  if (secret === undefined) throw new Error("the URL was registered before");
  verifier = new WebhookVerifier(secret);

  // A case, and who decides in it.
  const cases = new CasesApi(claimant);
  const { caseID } = await cases.createCase({ title: "Crânes v. Quarry 採石場", ruleSet: "commercial" });
  console.log("case", caseID);
  const { id: userID } = await new UsersApi(manager).viewCurrentUser();
  await new ParticipantsApi(administrator).addParticipant({ caseID, userID, partyID: "caseManager", isPrimary: true });

  // Clara files her claim, with its PDF; what is wrong with it she is told in words.
  const { filingID } = await new FilingsApi(claimant).createFiling({
    caseID,
    documentID: "statementOfClaim",
    fields: {
      claimantName: "Claimant Shipping GmbH", respondentName: "Respondent Cranes Ltd", claimAmount: "125000.00",
      reliefSought: "Damages for two cranes that came late.", expeditedRequested: false,
    },
  });
  const uploads = new Uploads(claimant);
  const filed = await uploads.uploadFilingFile(caseID, filingID, await fileAt("../../../src/main/resources/demo/statement-of-claim.pdf"));
  console.log(`filed ${filed.fileName} of ${filed.pages} pages`);
  const documents = new DocumentsApi(claimant);
  console.log(await documents.submitDocument({ caseID, filingID }));
  try {
    await documents.submitDocument({ caseID, filingID });
    throw new Error("submitted twice");
  } catch (refused) {
    if (!(refused instanceof PlatformError)) throw refused;
    // Programs go by the error code, which never changes. One that a later version adds comes as it is.
    if (refused.errorCode === ErrorCode.FILING_ALREADY_SUBMITTED) console.log(`refused with ${refused.status}: ${refused.reason}`);
  }

  // Maya approves it, it is on the docket, and the platform tells Clara's server of it.
  console.log(await new DocumentsApi(manager).approveDocument({ caseID, filingID }));
  const docket = new DocketApi(claimant);
  const entries = itemsAfter(
    async (afterEntryID: string | undefined) => (await docket.listDocketEntries({ caseID, afterEntryID })).entries, (entry) => entry.entryID);
  for await (const entry of entries) {
    console.log(`docket entry ${entry.entryID}: ${entry.documentID} of ${entry.enteredAt.toISOString()}`);
  }
  console.log("docket valid:", (await docket.verifyDocket({ caseID })).valid);
  const { event, data } = await next(caseID);
  console.log("webhook verified:", event, "of", data.documentID);

  // Every case of hers, page by page.
  let count = 0;
  for await (const _ of items((cursor) => cases.listCases({ cursor, limit: 200 }), (page) => page.cases)) count++;
  console.log("cases:", count);

  // A form is filled, kept as evidence, and comes back as it was.
  const form = await new PdfTemplatesApi(claimant).fillPdfTemplate({
    documentID: "noticeOfHearing",
    placeholders: { caseTitle: "Cranes v. Quarry", hearingDate: "2027-03-04" },
  });
  const pdf = Buffer.from(await form.arrayBuffer());
  console.log("filled form:", pdf.toString("latin1", 0, 5));
  const { uploadID } = await uploads.createEvidenceUpload(caseID, "correspondence", "Notice of hearing 開庭通知", new File([pdf], "notice.pdf"), {
    progress: (sent, total) => console.log(`sent ${Math.floor(100 * sent / total)} %`),
  });
  const stored = await new EvidenceApi(claimant).downloadEvidenceUpload({ caseID, uploadID });
  console.log(`evidence ${uploadID}, the same bytes: ${pdf.equals(Buffer.from(await stored.arrayBuffer()))}`);

  console.log(await urls.deleteWebhookUrl({ url: hook }));
}

await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
try {
  await play(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
} finally {
  server.close();
}
