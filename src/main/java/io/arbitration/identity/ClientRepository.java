package io.arbitration.identity;

import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** The table {@code identity.clients}. */
final class ClientRepository {

    /** A machine client as stored; every access token it gets belongs to its session. */
    record Client(UUID id, byte[] secretHash, Set<String> permissions, UUID sessionId) {}

    private final Database database;

    ClientRepository(Database database) {
        this.database = database;
    }

    Future<Void> insert(Requester by, Client client, String name, Instant now) {
        return database.update(by.key(), """
                insert into identity.clients (client_id, name, secret_hash, permissions, session_id, created, created_by)
                values ($1, $2, $3, $4, $5, $6, $7)
                """, Tuple.of(client.id(), name, Buffer.buffer(client.secretHash()),
                        client.permissions().toArray(String[]::new), client.sessionId(), now.atOffset(ZoneOffset.UTC), by.userId()))
                .mapEmpty();
    }

    Future<Optional<Client>> find(UUID clientId) {
        return database.query("""
                select client_id, secret_hash, permissions, session_id from identity.clients where client_id = $1
                """, Tuple.of(clientId), row -> new Client(
                        row.getUUID("client_id"), row.getBuffer("secret_hash").getBytes(),
                        Set.of(row.getArrayOfStrings("permissions")), row.getUUID("session_id")))
                .map(clients -> clients.stream().findFirst());
    }
}
