/** The cases area: cases with their participants and phases, and what can be done in them now. */
package io.arbitration.cases;
