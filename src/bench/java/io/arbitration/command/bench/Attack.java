package io.arbitration.command.bench;

/**
 * What one hostile or busy caller does to a platform while others work.
 *
 * @param name one word or two, for the report
 * @param what what it does, in a sentence
 * @param preparation is done before others are watched
 */
record Attack(String name, String what, Script preparation, Script script) {

    Attack(String name, String what, Script script) {
        this(name, what, stage -> {}, script);
    }

    /** Plays until the stage is over. */
    @FunctionalInterface
    interface Script {
        void play(AttackStage stage) throws Exception;
    }
}
