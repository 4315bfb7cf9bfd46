/** The alerts area: tells users of docket entries and new cases by email and push, as they prefer. */
package io.arbitration.alerts;
