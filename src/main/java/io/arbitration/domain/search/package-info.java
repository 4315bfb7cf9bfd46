/** Search queries, and the words of a text, in any script. */
package io.arbitration.domain.search;
