/** Speaks to the model: one OpenAI-compatible endpoint, with bounds on everything that it can do. */
package io.arbitration.ai.model;
