/** Properties of every request before it reaches an area: its ID and its client address. */
package io.arbitration.platform.request;
