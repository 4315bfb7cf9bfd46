/** Zip files: written while they are sent, and read strictly. */
package io.arbitration.platform.archive;
