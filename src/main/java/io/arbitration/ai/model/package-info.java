/** The client of the model: one OpenAI-compatible endpoint, every use of it bounded. */
package io.arbitration.ai.model;
