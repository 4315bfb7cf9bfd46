/** Files in requests and answers, block by block: forms with a file, downloads, and streams. */
package io.arbitration.platform.files;
