package io.arbitration;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Keeps what enters a work queue from being worked on until it is closed, as if the nodes had too much to do. */
public final class HeldQueue implements AutoCloseable {

    private final RunningPlatform platform;
    private final String queue;

    /** @param queue such as {@code alerts} */
    public HeldQueue(RunningPlatform platform, String queue) {
        this.platform = platform;
        this.queue = queue;
        run("""
                create function public.held_%1$s() returns trigger language plpgsql as $$
                begin new.due := now() + interval '1 hour'; return new; end $$""",
                "create trigger held_%1$s before insert on platform.queue_items for each row when (new.queue = '%1$s') execute function public.held_%1$s()");
    }

    /** Lets the nodes work on what is held. */
    @Override
    public void close() {
        run("drop trigger held_%1$s on platform.queue_items", "drop function public.held_%1$s()",
                "update platform.queue_items set due = now() where queue = '%1$s' and due > now() + interval '1 minute'");
    }

    private void run(String... statements) {
        try (Connection sql = platform.sql(); Statement statement = sql.createStatement()) {
            for (String each : statements) {
                statement.execute(each.formatted(queue));
            }
        } catch (SQLException failed) {
            throw new AssertionError(failed);
        }
    }
}
