/** The commands of ./acp: run, demo, verify-receipt, verify-export and others. */
package io.arbitration.command;
