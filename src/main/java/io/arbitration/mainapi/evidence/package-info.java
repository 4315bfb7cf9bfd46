/** Evidence: uploads as numbered exhibits, and downloads of them. */
package io.arbitration.mainapi.evidence;
