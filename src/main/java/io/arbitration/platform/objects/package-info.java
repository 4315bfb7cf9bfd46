/** Object stores, where files are kept: a folder, or buckets that speak the S3 protocol. */
package io.arbitration.platform.objects;
