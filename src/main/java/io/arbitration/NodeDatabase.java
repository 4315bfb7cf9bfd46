package io.arbitration;

import io.arbitration.platform.StartFailure;
import io.arbitration.platform.config.ConfigurationError;
import io.arbitration.platform.config.Profile;
import io.arbitration.platform.db.DatabaseUrl;
import io.arbitration.platform.db.EmbeddedPostgres;
import io.arbitration.platform.db.Migrations;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The database of a node: the one of the settings, otherwise an embedded PostgreSQL, which this class starts and stops. The schema is
 * migrated before anything uses it.
 */
final class NodeDatabase implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(NodeDatabase.class);
    private static final Executor START = task -> Thread.ofPlatform().name("database-start").start(task);

    private final Settings settings;
    private final CompletableFuture<Optional<EmbeddedPostgres>> embedded;

    private NodeDatabase(Settings settings, CompletableFuture<Optional<EmbeddedPostgres>> embedded) {
        this.settings = settings;
        this.embedded = embedded;
    }

    /** Starts and migrates it in the background. */
    static NodeDatabase start(Settings settings) {
        return new NodeDatabase(settings, CompletableFuture.supplyAsync(() -> embedded(settings), START));
    }

    /** The URL with which the node connects, once the database is started and migrated. */
    CompletableFuture<DatabaseUrl> migrated() {
        return embedded.thenApplyAsync(this::migrated, START);
    }

    private static Optional<EmbeddedPostgres> embedded(Settings settings) {
        if (settings.database().url().isPresent()) {
            return Optional.empty();
        }
        try {
            return Optional.of(EmbeddedPostgres.start(settings.dataFolder(), settings.database().embeddedPort()));
        } catch (IOException failed) {
            throw new StartFailure(StartFailure.FAILED, "data.folder: the embedded PostgreSQL did not start in %s: %s; %s/postgres.log may say more"
                    .formatted(settings.dataFolder(), failed.getMessage(), settings.dataFolder()), failed);
        }
    }

    /** Migrates as the owner of the tables; answers the URL of the user with which the node connects. */
    private DatabaseUrl migrated(Optional<EmbeddedPostgres> server) {
        Optional<DatabaseUrl> node = settings.database().url().map(DatabaseUrl::parse);
        DatabaseUrl owner = server.map(EmbeddedPostgres::url)
                .or(() -> settings.database().ownerUrl().map(text -> DatabaseUrl.parseOwner(text, node.orElseThrow(
                        () -> new ConfigurationError("database.ownerUrl: goes with database.url; the embedded PostgreSQL has its own")))))
                .orElseGet(node::orElseThrow);
        int migrations = Migrations.run(owner, settings.database().connectWait());
        if (migrations > 0) {
            LOG.info("{} migrations ran on {}", migrations, owner);
        }
        if (server.isPresent()) {
            return embeddedNode(server.get(), migrations > 0);
        }
        if (settings.database().ownerUrl().isPresent()) {
            Migrations.grant(owner, node.orElseThrow().user());
        } else if (settings.profile() == Profile.PRODUCTION) {
            LOG.warn("database.ownerUrl is not set: {} owns the tables, and could remove the triggers that keep audit and docket append-only",
                    node.orElseThrow().user());
        }
        return node.orElseThrow();
    }

    private DatabaseUrl embeddedNode(EmbeddedPostgres server, boolean migrated) {
        try {
            return server.nodeUrl(migrated);
        } catch (IOException failed) {
            throw new StartFailure(StartFailure.FAILED, "data.folder: the password of the platform's database role cannot be kept in %s: %s"
                    .formatted(settings.dataFolder(), failed.getMessage()), failed);
        }
    }

    /** If another part of the start failed, the server may still be starting. This waits until it has started, and stops it. */
    @Override
    public void close() {
        Optional<EmbeddedPostgres> server = embedded.exceptionally(toldByOpen -> Optional.empty()).join();
        try {
            if (server.isPresent()) {
                server.get().close();
            }
        } catch (IOException failed) {
            LOG.warn("stopping the embedded PostgreSQL failed", failed);
        }
    }
}
