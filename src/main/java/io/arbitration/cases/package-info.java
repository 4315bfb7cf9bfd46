/** The cases area: cases with their participants and phases, and the actions that are possible in them now. */
package io.arbitration.cases;
