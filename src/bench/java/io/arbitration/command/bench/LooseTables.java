package io.arbitration.command.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Tables without indexes, constraints and triggers, for as long as they are filled: what was taken away is made again in one pass over all
 * rows, which costs a fraction of what it costs row by row. It is read from the catalog before it is dropped, and so comes back as it was.
 */
final class LooseTables {

    private record Part(String name, String drop, String make) {}

    private final BenchDatabase database;
    private final List<String> tables;
    private final List<Part> foreignKeys;
    private final List<Part> indexes;

    private LooseTables(BenchDatabase database, List<String> tables, List<Part> foreignKeys, List<Part> indexes) {
        this.database = database;
        this.tables = tables;
        this.foreignKeys = foreignKeys;
        this.indexes = indexes;
    }

    static LooseTables of(BenchDatabase database, List<String> tables) {
        String these = tables.stream().map(table -> "'%s'::regclass".formatted(table)).collect(Collectors.joining(", "));
        List<Part> foreignKeys = constraints(database, "contype = 'f' and (conrelid in (%1$s) or confrelid in (%1$s))".formatted(these));
        List<Part> indexes = new ArrayList<>(constraints(database, "contype in ('p', 'u') and conrelid in (%s)".formatted(these)));
        database.pairs("""
                select i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid) from pg_index i
                where i.indrelid in (%s) and not exists (select from pg_constraint c where c.conindid = i.indexrelid and c.contype in ('p', 'u'))
                order by 1
                """.formatted(these)).forEach(index -> indexes.add(new Part(index[0], "drop index " + index[0], index[1])));
        LooseTables loose = new LooseTables(database, tables, foreignKeys, indexes);
        tables.forEach(table -> database.run("alter table %s disable trigger user".formatted(table)));
        foreignKeys.forEach(part -> database.run(part.drop));
        indexes.forEach(part -> database.run(part.drop));
        return loose;
    }

    private static List<Part> constraints(BenchDatabase database, String which) {
        return database.rowsOf("""
                select conrelid::regclass::text, quote_ident(conname), pg_get_constraintdef(oid) from pg_constraint where %s order by 1, 2
                """.formatted(which), 3).stream()
                .map(row -> new Part(row[1], "alter table %s drop constraint %s".formatted(row[0], row[1]), "alter table %s add constraint %s %s".formatted(row[0], row[1], row[2])))
                .toList();
    }

    /** Makes everything again, telling each; then counts what the planner has to know. */
    void restore() {
        database.run("set maintenance_work_mem = '1GB'");
        indexes.forEach(part -> told("index", part));
        foreignKeys.forEach(part -> told("checking", part));
        tables.forEach(table -> {
            database.run("alter table %s enable trigger user".formatted(table));
            Report.progress("vacuum " + table);
            database.run("vacuum (analyze) " + table);
        });
    }

    private void told(String what, Part part) {
        Report.progress("%s %s".formatted(what, part.name));
        database.run(part.make);
    }
}
