/** Makes the documentation that a running platform serves, out of the repository's Markdown. Run by the build; no part of the product. */
package io.arbitration.documentation;
