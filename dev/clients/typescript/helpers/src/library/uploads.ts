import { type EvidenceUpload, EvidenceUploadFromJSON } from '../models/EvidenceUpload.js';
import { type FilingFile, FilingFileFromJSON } from '../models/FilingFile.js';
import { type PdfTemplate, PdfTemplateFromJSON } from '../models/PdfTemplate.js';
import type { Platform } from './platform.js';

/** From the beginning of an attempt to its answer. */
const ATTEMPT_SECONDS_MAX = 3600;

/** A file: a `File` or `Blob`, or what `fileAt` of `@arbitration/client/node` answers. `stream` is called for each attempt. */
export interface FileSource {
  readonly name?: string;
  readonly size: number;
  stream(): ReadableStream<Uint8Array>;
}

/** What an upload may be told beside its fields and its file. */
export interface UploadOptions {
  /** The name that the platform is told; that of the file unless told. */
  fileName?: string;
  /** The media type that is declared; `application/octet-stream`, which declares none, unless told. */
  contentType?: string;
  /** The key of repetitions; a random one unless told. */
  idempotencyKey?: string;
  /** The `ETag` of the filing's revision that is to be changed; any unless told. */
  ifMatch?: string;
  /**
   * Is told how many bytes of the file have been handed to the connection, so far and in all. Begins again when the upload is repeated;
   * ends with both the same.
   */
  progress?: (sentBytes: number, totalBytes: number) => void;
  /** Ends the upload. */
  signal?: AbortSignal;
}

/**
 * With these, `fetch` keeps no copy of the body for another attempt of its own: a redirect or a question for a password, which no platform
 * answers. With others, Node.js keeps all of a file that has been sent until the answer is there.
 */
const ONCE = { duplex: "half", redirect: "error", window: null } as const;

/**
 * The operations that take a file, for files of any size: read while they are sent, with progress, and from their beginning again when the
 * call is repeated.
 */
export class Uploads {
  readonly #platform: Platform;

  /** Uploads to a platform, as its credentials say. */
  constructor(platform: Platform) {
    this.#platform = platform;
  }

  /** Uploads an exhibit. */
  async createEvidenceUpload(caseID: string, categoryID: string, description: string, file: FileSource, options: UploadOptions = {}): Promise<EvidenceUpload> {
    return EvidenceUploadFromJSON(await this.#send("/api/evidence/uploads/create", { caseID, categoryID, description }, file, options));
  }

  /** Adds a file to a filing, with its name as title unless told. */
  async uploadFilingFile(caseID: string, filingID: string, file: FileSource, options: UploadOptions & { title?: string } = {}): Promise<FilingFile> {
    return FilingFileFromJSON(await this.#send("/api/filings/files/upload", { caseID, filingID, title: options.title }, file, options));
  }

  /** Replaces a file of a docket entry by a redacted one. */
  async redactDocketEntry(
    caseID: string, entryID: string, fileID: string, reason: string, file: FileSource, options: UploadOptions = {},
  ): Promise<FilingFile> {
    return FilingFileFromJSON(await this.#send("/api/docket/entries/redact", { caseID, entryID, fileID, reason }, file, options));
  }

  /** Uploads a PDF form as the template of a document type. */
  async uploadPdfTemplate(documentID: string, file: FileSource, options: UploadOptions = {}): Promise<PdfTemplate> {
    return PdfTemplateFromJSON(await this.#send("/pdfs/templates/upload", { documentID }, file, options));
  }

  async #send(path: string, fields: { [name: string]: string | undefined }, file: FileSource, options: UploadOptions): Promise<unknown> {
    const headers = new Headers({ Accept: "application/json" });
    if (options.idempotencyKey !== undefined) headers.set("Idempotency-Key", options.idempotencyKey);
    if (options.ifMatch !== undefined) headers.set("If-Match", options.ifMatch);
    const name = options.fileName ?? file.name ?? "file";
    const type = options.contentType ?? "application/octet-stream";
    const by = typeof XMLHttpRequest === "function"
      ? (url: string, init: RequestInit) => byPage(url, init, browserForm(fields, file, name, type), file.size, options.progress)
      : (url: string, init: RequestInit) => byStream(url, init, fields, file, name, type, options.progress);
    const response = await this.#platform.send({
      path, by, answerSecondsMax: ATTEMPT_SECONDS_MAX, init: { method: "POST", headers, signal: options.signal ?? null },
    });
    return response.json();
  }
}

/** As browsers write names of files. */
function quoted(name: string): string {
  return name.replace(/"/g, "%22").replace(/\r/g, "%0D").replace(/\n/g, "%0A");
}

/** Node.js, Deno, Bun: the form is written while it is sent, with its length told beforehand. */
function byStream(
  url: string, init: RequestInit, fields: { [name: string]: string | undefined }, file: FileSource, name: string, type: string,
  progress: UploadOptions["progress"],
): Promise<Response> {
  const boundary = `acp-${crypto.randomUUID()}`;
  const texts = Object.entries(fields).filter(([, value]) => value !== undefined).map(([field, value]) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${field}"\r\nContent-Type: text/plain; charset=UTF-8\r\n\r\n${value}\r\n`).join("");
  const head = new TextEncoder().encode(
    `${texts}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quoted(name)}"\r\nContent-Type: ${type}\r\n\r\n`);
  const tail = new TextEncoder().encode(`\r\n--${boundary}--\r\n`);
  const parts = form(head, file, tail, progress);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() { await parts.return(); },
  }, { highWaterMark: 0 });
  const headers = new Headers(init.headers);
  headers.set("Content-Type", `multipart/form-data; boundary=${boundary}`);
  headers.set("Content-Length", String(head.length + file.size + tail.length));
  const sent: RequestInit & typeof ONCE = { ...init, headers, body, ...ONCE };
  return fetch(url, sent);
}

async function* form(head: Uint8Array, file: FileSource, tail: Uint8Array, progress: UploadOptions["progress"]): AsyncGenerator<Uint8Array, void> {
  yield head;
  const reader = file.stream().getReader();
  let sent = 0;
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      if (sent + piece.value.length > file.size) throw new Error("the file grew while it was sent");
      yield piece.value;
      sent += piece.value.length;
      progress?.(sent, file.size);
    }
  } finally {
    await reader.cancel();
  }
  if (sent < file.size) throw new Error("the file shrank while it was sent");
  if (sent === 0) progress?.(0, 0);
  yield tail;
}

function browserForm(fields: { [name: string]: string | undefined }, file: FileSource, name: string, type: string): FormData {
  if (!(file instanceof Blob)) throw new TypeError("file: in a browser, a File or Blob");
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) {
    if (value !== undefined) form.append(field, value);
  }
  form.append("file", file.slice(0, file.size, type), name);
  return form;
}

/** Browsers tell the progress of an upload to this alone, and read the file from the disk while it is sent. */
function byPage(url: string, init: RequestInit, form: FormData, bytes: number, progress: UploadOptions["progress"]): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", url);
    new Headers(init.headers).forEach((value, name) => request.setRequestHeader(name, value));
    request.responseType = "text";
    // The parts around the file are counted, too; what is told is of the file.
    request.upload.onprogress = ({ loaded, total }) => progress?.(Math.min(bytes, Math.max(0, loaded - Math.max(0, total - bytes))), bytes);
    request.upload.onload = () => progress?.(bytes, bytes);
    request.onload = () => {
      const headers = new Headers();
      for (const line of request.getAllResponseHeaders().trim().split(/\r\n/)) {
        const at = line.indexOf(": ");
        if (at > 0) headers.append(line.slice(0, at), line.slice(at + 2));
      }
      resolve(new Response(request.status === 204 ? null : request.responseText, { status: request.status, statusText: request.statusText, headers }));
    };
    request.onerror = () => reject(new TypeError("no answer"));
    request.onabort = () => reject(init.signal?.reason ?? new DOMException("ended", "AbortError"));
    if (init.signal?.aborted) return reject(init.signal.reason);
    init.signal?.addEventListener("abort", () => request.abort(), { once: true });
    request.send(form);
  });
}
