/** Service of notice: letters that are sent by email, and the proof of who was served, when and how. */
package io.arbitration.mainapi.notice;
