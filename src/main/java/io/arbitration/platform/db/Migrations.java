package io.arbitration.platform.db;

import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.output.MigrateResult;

/** Brings the schema up to date; several nodes may do so at once, Flyway's advisory lock lets one work. Blocks. */
public final class Migrations {

    private Migrations() {}

    /** @return how many migrations ran */
    public static int run(DatabaseUrl url) {
        MigrateResult result = Flyway.configure()
                .dataSource(url.jdbcUrl(), url.user(), url.password())
                .locations("classpath:db/migration")
                .schemas("platform")
                .defaultSchema("platform")
                .table("migrations")
                .connectRetries(10)
                .load()
                .migrate();
        return result.migrationsExecuted;
    }
}
