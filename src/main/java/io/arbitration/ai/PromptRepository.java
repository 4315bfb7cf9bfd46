package io.arbitration.ai;

import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The tables {@code ai.prompts} and {@code ai.prompt_versions}. */
final class PromptRepository {

    private final Database database;

    PromptRepository(Database database) {
        this.database = database;
    }

    /** In the order in which they were created; absent filters match all. */
    Future<List<Prompt>> prompts(Optional<String> documentID, Optional<String> ruleSet) {
        return database.query("""
                select * from ai.prompts
                where ($1::text is null or document_id = $1) and ($2::text is null or rule_set = $2)
                order by prompt_id
                """, Tuple.of(documentID.orElse(null), ruleSet.orElse(null)), PromptRepository::prompt);
    }

    Future<Prompt> insert(Requester by, String documentID, String ruleSet, String text, Prompt.Flags flags, Instant at) {
        return database.query(by.key(), """
                with made as (
                  insert into ai.prompts (document_id, rule_set, prompt, active, trigger_on_docket, trigger_on_draft,
                                          include_evidence, include_full_case, created, updated)
                  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
                  returning *
                ), first_version as (
                  insert into ai.prompt_versions (prompt_id, version, prompt, created, created_by)
                  select prompt_id, version, prompt, created, $10 from made
                )
                select * from made
                """, Tuple.of(documentID, ruleSet, text, flags.active(), flags.triggerOnDocket(), flags.triggerOnDraft())
                        .addBoolean(flags.includeEvidence()).addBoolean(flags.includeFullCase())
                        .addOffsetDateTime(at.atOffset(ZoneOffset.UTC)).addUUID(by.userId()), PromptRepository::prompt)
                .map(List::getFirst);
    }

    /** Another text is another version; empty when there is no such prompt. */
    Future<Optional<Prompt>> update(long promptId, PromptChange change, UUID by, Instant at) {
        return database.query("""
                with changed as (
                  update ai.prompts set
                    version = version + case when $2::text <> prompt then 1 else 0 end,
                    prompt = coalesce($2, prompt),
                    active = coalesce($3, active),
                    trigger_on_docket = coalesce($4, trigger_on_docket),
                    trigger_on_draft = coalesce($5, trigger_on_draft),
                    include_evidence = coalesce($6, include_evidence),
                    include_full_case = coalesce($7, include_full_case),
                    updated = $8
                  where prompt_id = $1
                  returning *
                ), next_version as (
                  insert into ai.prompt_versions (prompt_id, version, prompt, created, created_by)
                  select prompt_id, version, prompt, updated, $9 from changed
                  on conflict (prompt_id, version) do nothing
                )
                select * from changed
                """, Tuple.of(promptId, change.text().orElse(null), change.active().orElse(null),
                        change.triggerOnDocket().orElse(null), change.triggerOnDraft().orElse(null),
                        change.includeEvidence().orElse(null))
                        .addBoolean(change.includeFullCase().orElse(null))
                        .addOffsetDateTime(at.atOffset(ZoneOffset.UTC)).addUUID(by), PromptRepository::prompt)
                .map(rows -> rows.stream().findFirst());
    }

    private static Prompt prompt(Row row) {
        return new Prompt(
                row.getLong("prompt_id"), row.getOffsetDateTime("created").toInstant(), row.getOffsetDateTime("updated").toInstant(),
                row.getString("document_id"), row.getString("rule_set"), row.getString("prompt"),
                new Prompt.Flags(row.getBoolean("active"), row.getBoolean("trigger_on_docket"), row.getBoolean("trigger_on_draft"),
                        row.getBoolean("include_evidence"), row.getBoolean("include_full_case")));
    }
}
