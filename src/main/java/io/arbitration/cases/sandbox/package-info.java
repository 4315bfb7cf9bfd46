/** Cases that run by a clock of their own: setting it on, and what happens meanwhile. */
package io.arbitration.cases.sandbox;
