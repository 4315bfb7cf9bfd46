package io.arbitration.platform.keys;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Encrypts stored values again with the key of the keyset that encrypts now. Each node does this when it starts, for the values of another
 * key. Then an operator can remove the other keys from the keyset.
 */
public final class Reencryption {

    private static final int PAGE_ROWS = 100;
    /** A value that another node changed in the meantime is read again so often. */
    private static final int ROUNDS_MAX = 3;
    private static final Logger LOG = LoggerFactory.getLogger(Reencryption.class);

    private final Kms kms;

    public Reencryption(Kms kms) {
        this.kms = kms;
    }

    /**
     * Encrypted values of a row.
     *
     * @param id by which the rows of a table are sorted
     */
    public record Row(String id, List<byte[]> ciphers, byte[] context) {

        public Row {
            ciphers = List.copyOf(ciphers);
        }
    }

    /** A table with encrypted values. */
    public interface Rows {

        /** Rows with a value that does not begin with this prefix, in the order of their IDs. @param after only rows behind this one; empty: all */
        Future<List<Row>> without(byte[] prefix, Optional<String> after, int limit);

        /** Replaces the values of a row; false if they have changed since the row was read. */
        Future<Boolean> replace(Row row, List<byte[]> fresh);
    }

    /** Begins; a failure is logged, and the next start tries again. @param what the values, for the log */
    public void begin(String what, Rows rows) {
        run(what, rows).onFailure(failed -> LOG.warn("encrypting {} again with the newest key failed: {}", what, failed.getMessage()))
                .onSuccess(count -> {
                    if (count > 0) {
                        LOG.info("encrypted {} of {} again with the newest key of the keyset", count, what);
                    }
                });
    }

    /** Answers the number of rows that were replaced. */
    Future<Integer> run(String what, Rows rows) {
        return round(what, rows, Optional.empty(), new Round(0, 0), 1);
    }

    private record Round(int replaced, int changedMeanwhile) {

        private Round plus(boolean done) {
            return new Round(replaced + (done ? 1 : 0), changedMeanwhile + (done ? 0 : 1));
        }
    }

    private Future<Integer> round(String what, Rows rows, Optional<String> after, Round soFar, int number) {
        return rows.without(kms.prefix(), after, PAGE_ROWS).compose(page -> {
            if (page.isEmpty()) {
                return soFar.changedMeanwhile == 0 || number == ROUNDS_MAX ? Future.succeededFuture(soFar.replaced)
                        : round(what, rows, Optional.empty(), new Round(soFar.replaced, 0), number + 1);
            }
            Future<Round> replaced = Future.succeededFuture(soFar);
            for (Row row : page) {
                replaced = replaced.compose(round -> replace(what, rows, row).map(done -> done.map(round::plus).orElse(round)));
            }
            return replaced.compose(round -> round(what, rows, Optional.of(page.getLast().id), round, number));
        });
    }

    /** Whether the row was replaced; empty if it cannot be decrypted, which also its next use will say. */
    private Future<Optional<Boolean>> replace(String what, Rows rows, Row row) {
        List<byte[]> fresh = new ArrayList<>();
        try {
            for (byte[] cipher : row.ciphers) {
                fresh.add(kms.encrypt(kms.decrypt(cipher, row.context), row.context));
            }
        } catch (IllegalStateException unreadable) {
            LOG.error("{} of {} cannot be encrypted again: {}", row.id, what, unreadable.getMessage());
            return Future.succeededFuture(Optional.empty());
        }
        return rows.replace(row, fresh).map(Optional::of);
    }
}
