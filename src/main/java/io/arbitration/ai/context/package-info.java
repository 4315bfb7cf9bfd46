/** Makes the messages for the model from what was read: marked as data, and short enough for its context. */
package io.arbitration.ai.context;
