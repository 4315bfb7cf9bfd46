/** Cases with a clock of their own: setting it forward, and the events of the time that passes. */
package io.arbitration.cases.sandbox;
