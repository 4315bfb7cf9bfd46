/** The AI area: what a model is asked about documents and exhibits, and who may read its answers. */
package io.arbitration.ai;
