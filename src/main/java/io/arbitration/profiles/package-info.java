/** The profiles area: the public names of users and organizations. */
package io.arbitration.profiles;
