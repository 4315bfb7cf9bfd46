/** The draft award: from documents and exhibits in the object store to an outcome whose reasons cite exhibits that are there. */
package io.arbitration.ai.award;
