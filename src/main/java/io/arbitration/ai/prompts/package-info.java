/** The prompts with which documents are analysed. */
package io.arbitration.ai.prompts;
