package io.arbitration.platform.db;

import io.arbitration.platform.StartFailure;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The database role under which a node works. It reads and writes, but owns nothing: it can change no table, trigger or
 * function, and where a table is append-only it has no right to update, delete or truncate. The owner, who migrates, gives it
 * what it may; the triggers that refuse changes stay, for the owner's own mistakes. Blocks.
 */
final class NodeRole {

    /** Held while rights are given: two nodes that start together would trip over each other. */
    private static final String GRANTING = "select pg_advisory_xact_lock(7021640311)";

    private NodeRole() {}

    /** Makes the role, or gives the one that is there another password. */
    static void create(DatabaseUrl owner, String role, String password) {
        asOwner(owner, connection -> {
            execute(connection, """
                    do $$ begin
                      if not exists (select from pg_roles where rolname = %s) then create role %s; end if;
                    end $$""".formatted(literal(role), identifier(role)));
            execute(connection, "alter role %s with login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password %s"
                    .formatted(identifier(role), literal(password)));
        });
    }

    /** Gives the role its rights in the schemas of the owner; after every migration, as new tables have none yet. */
    static void grant(DatabaseUrl owner, String role) {
        asOwner(owner, connection -> execute(connection, """
                do $$
                declare
                  node constant name := %s;
                  place name;
                  kept regclass;
                begin
                  for place in select nspname from pg_namespace
                      where pg_get_userbyid(nspowner) = current_user and nspname !~ '^(pg_|information_schema$)' loop
                    execute format('grant usage on schema %%I to %%I', place, node);
                    execute format('grant select, insert, update, delete on all tables in schema %%I to %%I', place, node);
                    execute format('grant usage, select on all sequences in schema %%I to %%I', place, node);
                  end loop;
                  for kept in select distinct tgrelid::regclass from pg_trigger where tgfoid = 'platform.refuse_change'::regproc loop
                    execute format('revoke update, delete, truncate on %%s from %%I', kept, node);
                  end loop;
                  execute format('revoke insert, update, delete on platform.migrations from %%I', node);
                end $$""".formatted(literal(role))));
    }

    /** What the owner does, on a connection in a transaction. */
    @FunctionalInterface
    private interface Work {
        void on(Connection connection) throws SQLException;
    }

    private static void asOwner(DatabaseUrl owner, Work work) {
        try (Connection connection = DriverManager.getConnection(owner.jdbcUrl(), owner.user(), owner.password())) {
            connection.setAutoCommit(false);
            try (PreparedStatement granting = connection.prepareStatement(GRANTING)) {
                granting.execute();
            }
            work.on(connection);
            connection.commit();
        } catch (SQLException failed) {
            throw new StartFailure(StartFailure.FAILED, "database.ownerUrl: %s could not grant the rights to the user of database.url: %s"
                    .formatted(owner, failed.getMessage()), failed);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String literal(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    private static String identifier(String text) {
        return "\"" + text.replace("\"", "\"\"") + "\"";
    }
}
