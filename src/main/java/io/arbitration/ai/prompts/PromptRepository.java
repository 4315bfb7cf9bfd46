package io.arbitration.ai.prompts;

import io.arbitration.platform.answer.Page;
import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/** The tables {@code ai.prompts} and {@code ai.prompt_versions}. */
public final class PromptRepository {

    private static final String COLUMNS = """
            prompt_id, created, updated, document_id, rule_set, prompt, active, trigger_on_docket, trigger_on_draft, include_evidence, include_full_case""";
    /** What a prompt takes in an answer beside its text. */
    private static final int PROMPT_BYTES = 600;

    private final Database database;

    public PromptRepository(Database database) {
        this.database = database;
    }

    /** Prompts after an ID, in the order of their IDs, until together they have as many bytes; absent filters match all. */
    Future<List<Prompt>> prompts(Optional<String> documentID, Optional<String> ruleSet, long afterId, long limit, long bytesMax) {
        return database.query("""
                select %1$s
                from (select %1$s, sum(octet_length(prompt) + %2$d) over (order by prompt_id) - octet_length(prompt) - %2$d as bytes_before
                      from (select %1$s from ai.prompts
                            where ($1::text is null or document_id = $1) and ($2::text is null or rule_set = $2) and prompt_id > $3
                            order by prompt_id limit $4) page) weighed
                where bytes_before <= $5
                order by prompt_id
                """.formatted(COLUMNS, PROMPT_BYTES), Tuple.of(documentID.orElse(null), ruleSet.orElse(null), afterId, limit, bytesMax), PromptRepository::prompt);
    }

    /** What a prompt takes in an answer; at least what the database counts. */
    static long bytes(Prompt prompt) {
        return PROMPT_BYTES + Page.jsonBytes(prompt.text());
    }

    Future<Prompt> insert(Requester by, String documentID, String ruleSet, String text, Prompt.Flags flags, Instant at) {
        return database.query(by.key(), """
                with made as (
                  insert into ai.prompts (document_id, rule_set, prompt, active, trigger_on_docket, trigger_on_draft,
                                          include_evidence, include_full_case, created, updated)
                  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
                  returning %1$s, version
                ), first_version as (
                  insert into ai.prompt_versions (prompt_id, version, prompt, created, created_by)
                  select prompt_id, version, prompt, created, $10 from made
                )
                select %1$s from made
                """.formatted(COLUMNS), Tuple.of(documentID, ruleSet, text, flags.active(), flags.triggerOnDocket(), flags.triggerOnDraft())
                        .addBoolean(flags.includeEvidence()).addBoolean(flags.includeFullCase())
                        .addOffsetDateTime(at.atOffset(ZoneOffset.UTC)).addUUID(by.userId()), PromptRepository::prompt)
                .map(List::getFirst);
    }

    Future<Boolean> exists(long promptId) {
        return database.query("select from ai.prompts where prompt_id = $1", Tuple.of(promptId), row -> row).map(found -> !found.isEmpty());
    }

    /**
     * Changes a prompt; another text makes another version. Empty when there is no such prompt, or it was changed at another time
     * than the given one. No two changes of a prompt are of one time.
     */
    Future<Optional<Prompt>> update(long promptId, Optional<Instant> ifMatch, PromptChange change, Requester by, Instant at) {
        return database.query(by.key(), """
                with changed as (
                  update ai.prompts set
                    version = version + case when $2::text <> prompt then 1 else 0 end,
                    prompt = coalesce($2, prompt),
                    active = coalesce($3, active),
                    trigger_on_docket = coalesce($4, trigger_on_docket),
                    trigger_on_draft = coalesce($5, trigger_on_draft),
                    include_evidence = coalesce($6, include_evidence),
                    include_full_case = coalesce($7, include_full_case),
                    updated = greatest($8, updated + interval '1 millisecond')
                  where prompt_id = $1 and ($10::timestamptz is null or updated = $10)
                  returning %1$s, version
                ), next_version as (
                  insert into ai.prompt_versions (prompt_id, version, prompt, created, created_by)
                  select prompt_id, version, prompt, updated, $9 from changed
                  on conflict (prompt_id, version) do nothing
                )
                select %1$s from changed
                """.formatted(COLUMNS), Tuple.of(promptId, change.text().orElse(null), change.active().orElse(null),
                        change.triggerOnDocket().orElse(null), change.triggerOnDraft().orElse(null),
                        change.includeEvidence().orElse(null))
                        .addBoolean(change.includeFullCase().orElse(null))
                        .addOffsetDateTime(at.atOffset(ZoneOffset.UTC)).addUUID(by.userId())
                        .addValue(ifMatch.map(time -> time.atOffset(ZoneOffset.UTC)).orElse(null)), PromptRepository::prompt)
                .map(Database::first);
    }

    private static Prompt prompt(Row row) {
        return new Prompt(
                row.getLong("prompt_id"), row.getOffsetDateTime("created").toInstant(), row.getOffsetDateTime("updated").toInstant(),
                row.getString("document_id"), row.getString("rule_set"), row.getString("prompt"),
                new Prompt.Flags(row.getBoolean("active"), row.getBoolean("trigger_on_docket"), row.getBoolean("trigger_on_draft"),
                        row.getBoolean("include_evidence"), row.getBoolean("include_full_case")));
    }
}
