/** Files that come in by a form and go out as a download or a stream, block by block. */
package io.arbitration.platform.files;
