/** Analyses: what the institution's prompts have the model say of documents when they are drafted or docketed. */
package io.arbitration.ai.analyses;
