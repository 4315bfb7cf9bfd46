/** What ClientsIT asks of the library beside the generated calls; prints what it saw, one line each. The argument is a file of what it needs. */

import {
  CasesApi, Credentials, ErrorCode, ErrorCodeFromJSON, EventsApi, PdfTemplatesApi, Platform, PlatformError, RepeatedCursorError, RetryPolicy, SessionEndedError, Uploads, UsersApi,
  WebhookError, WebhookVerifier, instanceOfErrorCode, items, itemsAfter,
} from "@arbitration/client";
import { fileAt } from "@arbitration/client/node";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";

const given = JSON.parse(readFileSync(process.argv[2]!, "utf8"));
const by = (fault: string, credentials?: Credentials) =>
  new Platform(`${given.faulty}/${fault}`, credentials, { retries: new RetryPolicy({ totalSeconds: 30, firstPauseSeconds: 0.01, pauseSecondsMax: 0.05 }) });
const person = () => Credentials.resume(given.refreshTokens.shift());
const say = (name: string, seen: unknown) => console.log(`${name}: ${seen}`);

async function outcome(call: () => Promise<unknown>): Promise<string> {
  try {
    await call();
    return "answered";
  } catch (failed) {
    if (failed instanceof RepeatedCursorError) return "repeated cursor";
    if (!(failed instanceof PlatformError)) return "failed";
    const { status, errorCodeText, errorCode, reason, retryAfterSeconds, requestID } = failed;
    return `${failed instanceof SessionEndedError ? "ended" : "refused"} ${status} ${errorCodeText} known=${instanceOfErrorCode(errorCode)} '${reason}' `
      + `retry=${retryAfterSeconds !== undefined} request=${requestID !== undefined}`;
  }
}

async function atOnce(calls: number, platform: Platform): Promise<number> {
  const users = new UsersApi(platform);
  const answers = await Promise.all(Array.from({ length: calls }, () => users.viewCurrentUser()));
  return answers.filter(({ email }) => email === "clara@clients.example").length;
}

// One renewal for all who need it.
let stored = 0;
let last = "";
const store = ({ refreshToken }: { refreshToken: string }) => { stored++; last = refreshToken; };
say("signed in", `${await atOnce(20, by("none/sign-in", Credentials.signIn("demo", given.idToken).onTokens(store)))} answers, stored ${stored}`);
say("renewed", `${await atOnce(20, by("refuse/renew", Credentials.resume(last).onTokens(store)))} answers, stored ${stored}`);
// By a clock: the token is good for an hour, and is renewed in the last minute of it.
let now = Date.now();
const aging = by("none/aging", Credentials.resume(last).clock(() => now).onTokens(store));
const begun = now;
for (const seconds of [0, 3530, 3550, 3550 + 3550]) {
  now = begun + seconds * 1000;
  await atOnce(1, aging);
  now = begun;
}

// The session is over.
const over = new UsersApi(by("none/ended", Credentials.resume("nothing")));
for (let i = 0; i < 2; i++) say("ended", await outcome(() => over.viewCurrentUser()));
const secretive = Credentials.resume(last);
const shown = inspect(by("none/text", secretive), { depth: 9 }) + inspect(secretive) + JSON.stringify(secretive);
say("tokens shown", shown.includes(last));

// Tokens are stored before they are used.
let offered = 0;
const storing = new UsersApi(by("none/store", person().onTokens(async () => { if (++offered === 1) throw new Error("the disk is full"); })));
say("stored", `${await outcome(() => storing.viewCurrentUser())}, ${await outcome(() => storing.viewCurrentUser())}, offered ${offered}`);

// A machine client, which reads one event a page, so that there are pages.
const events = new EventsApi(new Platform(given.url, Credentials.machine(given.clientID, given.clientSecret)));
const sequences: number[] = [];
for await (const { sequence } of itemsAfter(async (afterSequence: number | undefined) => (await events.listEvents({ afterSequence, limit: 1 })).events, (event) => event.sequence)) {
  sequences.push(sequence);
}
say("events", `${sequences.length > 1} in order ${sequences.every((one, i) => i === 0 || one > sequences[i - 1]!)}`);
const wrong = new UsersApi(new Platform(given.url, Credentials.machine(given.clientID, "wrong")));
say("machine", await outcome(() => wrong.viewCurrentUser()));

// Repetitions.
say("lost", await outcome(() => new CasesApi(by("lose/answers", person())).createCase({ title: given.title, ruleSet: "commercial" })));
say("without key", await outcome(() => new PdfTemplatesApi(by("lose/no-key")).fillPdfTemplate({ documentID: "noticeOfHearing" })));
say("busy", await outcome(() => new CasesApi(by("busy/list", person())).listCases()));

// Nobody is reached at first. Without a key, too, it is sent again: nothing can have been done.
const server = createServer((_, answer) => answer.end("%PDF-"));
await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
const { port } = server.address() as AddressInfo;
await new Promise((done) => server.close(done));
let opened = false;
const knocking = new Platform(`http://127.0.0.1:${port}`, undefined, {
  retries: new RetryPolicy({ attempts: 1000, totalSeconds: 30, firstPauseSeconds: 0.02, pauseSecondsMax: 0.02 }),
  fetch: (url, init) => fetch(url, init).catch((refused: unknown) => {
    if (!opened) server.listen(port, "127.0.0.1");
    opened = true;
    throw refused;
  }),
});
const reached = await outcome(() => new PdfTemplatesApi(knocking).fillPdfTemplate({ documentID: "noticeOfHearing" }));
say("unreached", opened ? reached : "was reached at once");
server.close();
server.closeAllConnections();

// Limits.
const limited = Credentials.signIn("demo", given.limitedIdToken);
say("limited", `${await atOnce(20, new Platform(given.limited, limited, { retries: new RetryPolicy({ attempts: 8 }) }))} answers`);
const impatient = new UsersApi(new Platform(given.limited, limited, { retries: new RetryPolicy({ attempts: 1 }) }));
let refused: string;
do refused = await outcome(() => impatient.viewCurrentUser()); while (refused === "answered");
say("refused", refused);
say("later", await outcome(() => new CasesApi(by("later/hour", person())).listCases()));

// Pages.
async function count(list: AsyncIterable<unknown>): Promise<number> {
  let seen = 0;
  for await (const _ of list) seen++;
  return seen;
}
const loop = new CasesApi(by("loop/cases", person()));
say("loop", await outcome(() => count(items((cursor) => loop.listCases({ limit: 1, cursor }), (page) => page.cases))));
const later = new CasesApi(by("later/page", person()));
say("refused page", await outcome(() => count(items((cursor) => later.listCases({ cursor }), (page) => page.cases))));

// Webhooks.
for (const { name, headers, body, secrets, now: seconds } of given.webhooks) {
  let seen: string;
  try {
    const webhook = await new WebhookVerifier(secrets, { now: () => seconds * 1000 }).verify(headers, Buffer.from(body, "base64"));
    seen = `${webhook.id} ${webhook.sandbox} ` + (webhook.kind === "docket_filing" ? `docket_filing of ${webhook.event.data.documentID}`
      : webhook.kind === "other" ? `other ${webhook.event.event}` : `not expected: ${webhook.kind}`);
  } catch (failed) {
    seen = failed instanceof WebhookError ? failed.problem : `secret: ${!String(failed).includes(secrets[0])}`;
  }
  say(`webhook ${name}`, seen);
}

// Uploads.
const uploads = new Uploads(new Platform(given.url, person()));
const told: number[] = [];
globalThis.gc!();
const before = process.memoryUsage().arrayBuffers;
let held = 0;
const large = await fileAt(given.largeFile);
const { uploadID } = await uploads.createEvidenceUpload(given.caseID, "correspondence", "Large 開庭通知", large, {
  fileName: "größer.txt",
  progress: (sent, total) => {
    told.push(total === Number(given.largeBytes) ? sent : -1);
    if (told.length % 100 === 0) {
      globalThis.gc!();
      held = Math.max(held, process.memoryUsage().arrayBuffers - before);
    }
  },
});
say("upload", `${uploadID}, rises ${told.every((one, i) => i === 0 || one > told[i - 1]!)}, pieces ${told.length > 100}, ends with all ${told[told.length - 1] === large.size}`);
say("held", held > 0 && held < large.size / 2 ? "a part" : held);
const small = await fileAt(given.smallFile);
const again: number[] = [];
const busy = new Uploads(by("busy/upload", person()));
say("upload again", await outcome(() => busy.createEvidenceUpload(given.caseID, "correspondence", "Again", small, { progress: (sent) => again.push(sent) }))
  + `, told ${again.filter((sent) => sent === small.size).length} times`);
say("blob", (await uploads.createEvidenceUpload(given.caseID, "correspondence", "Blob", new Blob(["of a blob"]), { fileName: "blob.txt" })).contentType);
say("no file", await outcome(() => fileAt(given.smallFile + ".missing")));
say("refused file", await outcome(() => uploads.createEvidenceUpload("7", "correspondence", "None", small)));
say("newer code", String(ErrorCodeFromJSON("filing.newer")) === "filing.newer" && !instanceOfErrorCode("filing.newer") && instanceOfErrorCode(ErrorCode.FILING_NOT_FOUND));
