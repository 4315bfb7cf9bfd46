/** The answers to requests: a reply, or a refusal made from an error on which clients can rely. */
package io.arbitration.platform.answer;
