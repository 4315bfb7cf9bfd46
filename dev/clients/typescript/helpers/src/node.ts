import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import type { FileSource } from './library/uploads.js';

/** The file at a path, for `Uploads`: read while it is sent. */
export async function fileAt(path: string): Promise<FileSource> {
  const { size } = await stat(path);
  return { name: basename(path), size, stream: () => Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array> };
}
