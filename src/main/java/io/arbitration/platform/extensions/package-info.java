/** An operator's own verticles, which run in a node beside the areas: each from a folder of its own, with a class loader of its own. */
package io.arbitration.platform.extensions;
