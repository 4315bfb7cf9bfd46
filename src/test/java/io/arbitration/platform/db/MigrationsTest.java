package io.arbitration.platform.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Migrations expand and contract: while a release rolls out, nodes of the last one work on the schema of the next. A migration
 * therefore only adds, and nothing that the last release, which does not know of it, would have to fill in or could trip over.
 * What is no longer used goes a release later, by a migration that is named here with its reason.
 */
class MigrationsTest {

    private static final Pattern NAME = Pattern.compile("V(\\d{3})__[a-z0-9_]+\\.sql");

    /** Statements that contract, each with the reason why no node can be in its way. */
    private static final Map<String, String> ALLOWED = Map.ofEntries(
            Map.entry("V014 drop index webhooks.notices_pending", "from before the first release; and an index is no promise"),
            Map.entry("V027 alter table mainapi.filings add constraint filings_", "what the rules of every release decide, and so all that it writes"),
            Map.entry("V027 alter table mainapi.heads add constraint heads_", "numbers that only grow, and hashes that every release computes"),
            Map.entry("V029 alter table cases.participants add constraint participants_observer_is_not_primary", "no release has made such a participant"),
            Map.entry("V038 alter table webhooks.organizations add column test_id", "of columns that the last release leaves empty"),
            Map.entry("V040 alter table mainapi.entries add column version", "the last release appends entries of version 1, without a salt, which the check allows"),
            Map.entry("V049 alter table emails.emails add column calendar_method", "of columns that the last release leaves empty"),
            Map.entry("V062 alter table mainapi.notices alter column entry_id", "the last release always serves an entry; it cannot list a notice of a hearing, which the upgrade guide says"),
            Map.entry("V062 alter table mainapi.notices add constraint notices_serve_one", "the last release serves entries alone, which the check allows"),
            Map.entry("V039 drop trigger awards_append_only on ai.awards", "the next statement puts it back for all but what the new function removes"),
            Map.entry("V063 drop index cases.deadlines_date", "the statement before makes one that begins with the same columns; and an index is no promise"),
            Map.entry("V064 alter table cases.hearing_news drop constraint hearing_news_hearing_id_user_id_channel_revision_key", "its nodes insert without it, and the next statement keeps their rows as unique"),
            Map.entry("V065 alter table webhooks.queue rename to queue_waiting", "a table with the same columns takes the name in the same transaction, and all statements of the last release with it"),
            Map.entry("V069 alter table emails.deliveries drop constraint", "the statement puts it back with one state more, which the last release neither writes nor reads"),
            Map.entry("V079 drop function ", "a function of V073, which the last release does not have"),
            Map.entry("V064 create unique index hearing_news_once", "of the columns that were unique before, and one more"));

    private record Rule(Pattern form, String why) {
        Rule(String form, String why) {
            this(Pattern.compile(form, Pattern.DOTALL), why);
        }
    }

    private static final List<Rule> RULES = List.of(
            new Rule("^drop\\b.*", "drops what the last release may use"),
            new Rule("^alter .*\\bdrop\\b.*", "drops what the last release may use"),
            new Rule("^alter .*\\brename\\b.*", "renames what the last release knows by its old name"),
            new Rule("^alter .*\\balter (column )?\\w+ (set data )?type\\b.*", "changes a type that the last release writes and reads"),
            new Rule("^alter .*\\bset not null\\b.*", "demands a value that the last release may leave out"),
            new Rule("^alter table .*\\badd (column )?(if not exists )?(?!constraint\\b|check\\b|unique\\b|primary\\b|foreign\\b)\\w+(?:(?!\\bdefault\\b|\\bgenerated\\b|, add ).)*\\bnot null\\b"
                    + "(?!(?:(?!, add ).)*\\b(default|generated)\\b).*", "demands a column that the last release does not fill"),
            new Rule("^alter table .*\\badd (constraint \\w+ )?(check|unique|primary key|foreign key|exclude)\\b.*", "demands what the last release may not keep to"),
            new Rule("^create unique index .*", "demands what the last release may not keep to"),
            new Rule("^(truncate|revoke)\\b.*", "takes away what the last release may use"));

    private static final Pattern TABLE = Pattern.compile("^(?:create table|alter table(?: if exists)?(?: only)?|create unique index.* on(?: only)?) ([\\w.]+).*");

    private static Optional<String> table(String statement) {
        Matcher table = TABLE.matcher(statement);
        return table.matches() ? Optional.of(table.group(1)) : Optional.empty();
    }

    /** What of a migration contracts, with why. A table that it makes itself is nobody's yet. */
    static List<String> contracting(String sql) {
        Set<String> made = new HashSet<>();
        List<String> refused = new ArrayList<>();
        for (String statement : MigrationFile.statements(sql)) {
            if (statement.startsWith("create table")) {
                table(statement).ifPresent(made::add);
            }
            if (table(statement).filter(made::contains).isEmpty()) {
                RULES.stream().filter(rule -> rule.form().matcher(statement).matches()).findFirst()
                        .ifPresent(rule -> refused.add(statement + ": " + rule.why()));
            }
        }
        return refused;
    }

    @Test
    void noMigrationTakesAwayWhatTheLastReleaseUses() throws IOException {
        Map<String, List<String>> refused = new TreeMap<>();
        Set<String> unused = new HashSet<>(ALLOWED.keySet());
        for (MigrationFile file : MigrationFile.all()) {
            for (String statement : contracting(file.sql())) {
                Optional<String> allowed = ALLOWED.keySet().stream().filter(one -> (file.name().substring(0, 4) + " " + statement).startsWith(one)).findFirst();
                allowed.ifPresentOrElse(unused::remove, () -> refused.computeIfAbsent(file.name(), none -> new ArrayList<>()).add(statement));
            }
        }
        assertThat(refused).isEmpty();
        assertThat(unused).as("exceptions that no migration needs").isEmpty();
    }

    /** Two with one number stop every start, and are made easily by two people on one day. */
    @Test
    void everyMigrationHasANumberOfItsOwn() throws IOException {
        List<String> numbers = new ArrayList<>();
        MigrationFile.all().stream().map(file -> NAME.matcher(file.name())).forEach(name -> {
            assertThat(name.matches()).as(name.toString()).isTrue();
            numbers.add(name.group(1));
        });
        assertThat(numbers).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '¦', value = {
        "alter table a.b add column c text ¦ false",
        "alter table a.b add column c text, add column d int not null default 0 ¦ false",
        "alter table a.b add c bigint not null generated always as identity ¦ false",
        "create table a.n (x text not null); create unique index on a.n (x); alter table a.n add constraint c check (x <> '') ¦ false",
        "create index on a.b (c) ¦ false",
        "create or replace view a_api.b as select 1; -- drop table a.b ¦ false",
        "create function f() returns trigger language plpgsql as $$ begin drop table x; end $$ ¦ false",
        "insert into a.b values ('drop table; a') ¦ false",
        "alter table a.b add column c text not null ¦ true",
        "alter table a.b add column c text default 'x', add column d int not null ¦ true",
        "alter table a.b drop column c ¦ true",
        "alter table a.b rename column c to d ¦ true",
        "alter table a.b alter column c type bigint ¦ true",
        "alter table a.b alter c set not null ¦ true",
        "alter table a.b add constraint c check (d > 0) ¦ true",
        "create unique index i on a.b (c) ¦ true",
        "drop view a_api.b ¦ true",
        "truncate a.b ¦ true"})
    void contractionsAreTold(String sql, boolean contracts) {
        assertThat(contracting(sql)).hasSize(contracts ? 1 : 0);
    }
}
