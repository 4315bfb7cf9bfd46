package io.arbitration.command.bench;

import io.arbitration.command.bench.BenchPeople.OpenCase;

/**
 * What one hostile or busy caller does to a platform while others work.
 *
 * @param name one word or two, for the report
 * @param what what it does, in a sentence
 * @param node against which of the two nodes; an honest caller works on the same one
 * @param alike what the honest caller does of the same kind meanwhile
 * @param groundwork is done by others before, as far as the attacker cannot do it itself
 * @param preparation is done by the attacker before others are watched
 */
record Attack(String name, String what, Node node, Alike alike, Groundwork groundwork, Script preparation, Script script) {

    /** The nodes of the benchmark: one in the clear, one with TLS, on the same database. */
    enum Node { CLEAR, TLS }

    Attack(String name, String what, Script script) {
        this(name, what, Node.CLEAR, Alike.NOTHING, (people, own) -> "", stage -> {}, script);
    }

    Attack prepared(Script first) {
        return new Attack(name, what, node, alike, groundwork, first, script);
    }

    Attack beside(Alike same) {
        return new Attack(name, what, node, same, groundwork, preparation, script);
    }

    Attack on(Node other) {
        return new Attack(name, what, other, alike, groundwork, preparation, script);
    }

    Attack given(Groundwork before) {
        return new Attack(name, what, node, alike, before, preparation, script);
    }

    /** Plays until the stage is over. */
    @FunctionalInterface
    interface Script {
        void play(AttackStage stage) throws Exception;
    }

    /** Prepares what takes others, and says what the attacker has to know of it. */
    @FunctionalInterface
    interface Groundwork {
        String lay(BenchPeople people, OpenCase own);
    }
}
