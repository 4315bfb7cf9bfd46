/** Connections, transactions and migrations of PostgreSQL, and the embedded one. */
package io.arbitration.platform.db;
