/** Reads settings from files and the environment, and refuses what is unknown or out of bounds. */
package io.arbitration.platform.config;
