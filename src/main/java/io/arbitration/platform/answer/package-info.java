/** What a request is answered with: a reply, or a refusal made from an error that clients can rely on. */
package io.arbitration.platform.answer;
