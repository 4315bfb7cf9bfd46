/** What the examples of the pages take for granted; ClientsIT adds each in braces, and compiles it. */

import {
  CasesApi, Credentials, DocumentsApi, ErrorCode, EventsApi, Platform, PlatformError, RetryPolicy, Uploads, UsersApi, WebhookVerifier, items, itemsAfter,
} from "@arbitration/client";
import { fileAt } from "@arbitration/client/node";
import type { IncomingMessage } from "node:http";

declare const platform: Platform;
declare const url: string;
declare const idToken: string;
declare const refreshToken: string;
declare const secret: string;
declare const clientID: string;
declare const clientSecret: string;
declare const caseID: string;
declare const filingID: string;
declare const bytes: Uint8Array;
declare const request: IncomingMessage;
declare function store(token: string): Promise<void>;

// SNIPPETS
