/** Puts what was read before the model: fenced as data, within the room that the model has. */
package io.arbitration.ai.context;
