/** A case from sign-in to docket through the generated client, on a platform in the demo profile. */

import {
  AuthenticationApi, CasesApi, Configuration, DocketApi, DocketFilingDataFromJSON, DocumentsApi, ErrorCode, ErrorCodeFromJSON, EvidenceApi, FilingFilesApi, FilingsApi,
  OrganizationsApi, ParticipantsApi, PdfTemplatesApi, ResponseError, UsersApi, WebhookEventFromJSON, WebhookUrlsApi,
  instanceOfErrorCode, type WebhookEvent,
} from "@arbitration/client";
import { createHmac, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** A configuration that calls as this person. Your identity provider signs the ID token; here it is the one of the demo. */
async function signIn(basePath: string, email: string, first_name: string, last_name: string): Promise<Configuration> {
  const answer = await fetch(`${basePath}/auth/demo/id-token`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email, first_name, last_name }),
  });
  const { idToken } = await answer.json() as { idToken: string };
  const authentication = new AuthenticationApi(new Configuration({ basePath }));
  const { accessToken } = await authentication.authenticateWithIdentityProvider("demo", { idToken });
  return new Configuration({ basePath, accessToken });
}

function verified(headers: IncomingHttpHeaders, body: Buffer, secret: string): boolean {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures } = headers;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const expected = Buffer.from("v1," + createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64"));
  const recent = Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300;
  return recent && String(signatures).split(" ").map((one) => Buffer.from(one))
    .some((one) => one.length === expected.length && timingSafeEqual(one, expected));
}

/** A server as an organization runs it: it takes webhooks, answers at once, and looks at them afterwards. */
const arrived: { headers: IncomingHttpHeaders; body: Buffer }[] = [];
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  arrived.push({ headers: request.headers, body: Buffer.concat(chunks) });
  response.writeHead(204).end();
});

/** The next webhook of a case, whose signature holds. */
async function next(secret: string, caseID: string): Promise<WebhookEvent> {
  for (const end = Date.now() + 20_000; Date.now() < end;) {
    const webhook = arrived.shift();
    if (webhook === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      continue;
    }
    if (!verified(webhook.headers, webhook.body, secret)) {
      throw new Error(`not signed with the secret of its URL: ${webhook.headers["webhook-id"]}`);
    }
    const event = WebhookEventFromJSON(JSON.parse(webhook.body.toString()));
    if (event.data.caseID === caseID) return event;
  }
  throw new Error("no webhook within 20 s");
}

async function play(url: string, hook: string): Promise<void> {
  const administrator = await signIn(url, "admin@demo.example", "Ada", "Administrator");
  const claimant = await signIn(url, "clara@clients.example", "Clara", "Claimant");
  const manager = await signIn(url, "maya@typescript.example", "Maya", "Manager");

  // Webhooks go to organizations, and Clara's has a server: this program.
  if ((await new UsersApi(claimant).viewCurrentUser()).organizationID === null) {
    await new OrganizationsApi(claimant).createOrganization({ name: "Claimant Shipping GmbH" });
  }
  const urls = new WebhookUrlsApi(claimant);
  const { secret } = await urls.createWebhookUrl({ url: hook });
  if (secret === undefined) throw new Error("the URL was registered before");

  // A case, and who decides in it.
  const { caseID } = await new CasesApi(claimant).createCase({ title: "Crânes v. Quarry 採石場", ruleSet: "commercial" });
  console.log("case", caseID);
  const { id: userID } = await new UsersApi(manager).viewCurrentUser();
  await new ParticipantsApi(administrator).addParticipant({ caseID, userID, partyID: "caseManager", isPrimary: true });

  // Clara files her claim; what is wrong with it she is told in words.
  const { filingID } = await new FilingsApi(claimant).createFiling({
    caseID,
    documentID: "statementOfClaim",
    fields: {
      claimantName: "Claimant Shipping GmbH", respondentName: "Respondent Cranes Ltd", claimAmount: "125000.00",
      reliefSought: "Damages for two cranes that came late.", expeditedRequested: false,
    },
  });
  // The claim itself is a PDF.
  const claim = new File([readFileSync("../../../src/main/resources/demo/statement-of-claim.pdf")], "claim.pdf");
  const filed = await new FilingFilesApi(claimant).uploadFilingFile(caseID, filingID, claim);
  console.log(`filed ${filed.fileName} of ${filed.pages} pages`);
  const documents = new DocumentsApi(claimant);
  console.log(await documents.submitDocument({ caseID, filingID }));
  try {
    await documents.submitDocument({ caseID, filingID });
    throw new Error("submitted twice");
  } catch (refused) {
    if (!(refused instanceof ResponseError)) throw refused;
    console.log(`refused with ${refused.response.status}: ${await refused.response.json()}`);
    // Programs go by the error code, which never changes. One that a later version adds comes as it is.
    const code = ErrorCodeFromJSON(refused.response.headers.get("Error-Code"));
    if (code === ErrorCode.FILING_ALREADY_SUBMITTED && !instanceOfErrorCode(ErrorCodeFromJSON("filing.newer"))) {
      console.log(`the error code ${code} is known, and one of a later version is taken`);
    }
  }

  // Maya approves it, and it is on the docket.
  console.log(await new DocumentsApi(manager).approveDocument({ caseID, filingID }));
  const docket = new DocketApi(claimant);
  for (const entry of (await docket.listDocketEntries({ caseID })).entries) {
    console.log(`docket entry ${entry.entryID}: ${entry.documentID} of ${entry.enteredAt.toISOString()}`);
  }
  console.log("docket valid:", (await docket.verifyDocket({ caseID })).valid);

  // The platform tells Clara's server of it.
  const { event, data } = await next(secret, caseID);
  console.log("webhook verified:", event, "of", DocketFilingDataFromJSON(data).documentID);
  // A kind that is newer than this client is read, too, and can be passed over.
  console.log("newer kind:", WebhookEventFromJSON({ id: "1", timestamp: "2030-01-01T00:00:00.000Z", event: "a_newer_kind", data: {} }).event);

  // Every case of hers, page by page.
  let cases = 0;
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await new CasesApi(claimant).listCases({ cursor, limit: 200 });
    cases += page.cases.length;
    cursor = page.nextCursor;
  }
  console.log("cases:", cases);

  // A form is filled, kept as evidence, and comes back as it was.
  const form = await new PdfTemplatesApi(claimant).fillPdfTemplate({
    documentID: "noticeOfHearing",
    placeholders: { caseTitle: "Cranes v. Quarry", hearingDate: "2027-03-04" },
  });
  const pdf = Buffer.from(await form.arrayBuffer());
  console.log("filled form:", pdf.toString("latin1", 0, 5));
  const evidence = new EvidenceApi(claimant);
  const { uploadID } = await evidence.createEvidenceUpload(caseID, "correspondence", "Notice of hearing 開庭通知", new File([pdf], "notice.pdf"));
  const stored = await evidence.downloadEvidenceUpload({ caseID, uploadID });
  console.log(`evidence ${uploadID}, the same bytes: ${pdf.equals(Buffer.from(await stored.arrayBuffer()))}`);

  console.log(await urls.deleteWebhookUrl({ url: hook }));
}

await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
try {
  await play(process.argv[2] ?? "http://localhost:8080", `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
} finally {
  server.close();
}
