package io.arbitration.webhooks.urls;

import io.arbitration.platform.db.Database;
import io.arbitration.platform.keys.Reencryption;
import io.arbitration.webhooks.sending.SecretCipher;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The encrypted secrets of webhook URLs: of each the current one, followed by those that were replaced. */
public final class StoredSecretRepository implements Reencryption.Rows {

    private final Database database;

    public StoredSecretRepository(Database database) {
        this.database = database;
    }

    @Override
    public Future<List<Reencryption.Row>> without(byte[] prefix, Optional<String> after, int limit) {
        return database.query("""
                select url_id, organization_id, url, secret, previous_secrets from webhooks.urls
                where deleted_at is null and url_id > $2 and (substring(secret from 1 for length($1::bytea)) <> $1::bytea
                  or exists (select from unnest(previous_secrets) as p(secret) where substring(p.secret from 1 for length($1::bytea)) <> $1::bytea))
                order by url_id limit $3
                """, Tuple.of(Buffer.buffer(prefix), after.map(Long::parseLong).orElse(-1L), limit),
                row -> new Reencryption.Row(String.valueOf(row.getLong("url_id")),
                        Stream.concat(Stream.of(row.getBuffer("secret")), Stream.of((Buffer[]) row.getValue("previous_secrets"))).map(Buffer::getBytes).toList(),
                        SecretCipher.context(row.getUUID("organization_id"), row.getString("url"))));
    }

    @Override
    public Future<Boolean> replace(Reencryption.Row row, List<byte[]> fresh) {
        return database.update("""
                update webhooks.urls set secret = $2, previous_secrets = $3 where url_id = $1 and secret = $4 and previous_secrets = $5
                """, Tuple.of(Long.parseLong(row.id()), Buffer.buffer(fresh.getFirst())).addArrayOfBuffer(previous(fresh))
                        .addBuffer(Buffer.buffer(row.ciphers().getFirst())).addArrayOfBuffer(previous(row.ciphers()))).map(updated -> updated == 1);
    }

    private static Buffer[] previous(List<byte[]> secrets) {
        return secrets.stream().skip(1).map(Buffer::buffer).toArray(Buffer[]::new);
    }
}
