/** The alerts area: informs users of docket entries, new cases and other events by email and push, as they prefer. */
package io.arbitration.alerts;
