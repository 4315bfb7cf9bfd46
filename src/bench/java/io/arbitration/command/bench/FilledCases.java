package io.arbitration.command.bench;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.EntryId;
import io.arbitration.domain.FilingId;
import io.arbitration.domain.Identifiers;
import io.arbitration.domain.OrganizationId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.docket.DocketEntry;
import io.arbitration.domain.docket.EntryForm;
import io.arbitration.domain.hash.ContentHash;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.mainapi.docket.EntryJson;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The cases of a filled database as rows for COPY: a case with its four participants, ten docket entries whose hashes are those that the
 * platform verifies, fifty audit lines, eleven events, and ten webhook deliveries to the institution. Everything follows from the number
 * of a case, so that a later measurement knows the ids without asking the database.
 *
 * <p>A side has about 20 cases, a case manager 500 and an arbitrator 100, however many cases there are. All case managers act for one
 * institution, whose webhook URL got every delivery, in the last 60 days. One case in five is closed.
 *
 * @param cases how many there are
 * @param newest the time of the last one; the first is five years older
 * @param institution the organization of all case managers
 * @param urlId its webhook URL
 */
record FilledCases(int cases, Instant newest, UUID institution, long urlId) {

    static final int ENTRIES = 10;
    static final int AUDIT_LINES = 50;
    private static final int EVENTS = ENTRIES + 1;
    private static final Duration SPAN = Duration.ofDays(5 * 365);
    private static final Duration DELIVERED = Duration.ofDays(60);
    private static final int CLOSED_ONE_IN = 5;
    private static final String PHASE = "caseInitiation";
    private static final String DOCUMENT = "certificateOfService";
    private static final int WORDS = 20_000;
    private static final int WORDS_OF_AN_ENTRY = 14;
    private static final int SALT_BYTES = 32;
    private static final long SEED = 20261127;

    /** The tables and columns that the rows are for. */
    enum Table {
        USERS("identity.users", "user_id, provider, subject, email, first_name, last_name, created, signed_in, acted_for"),
        ORGANIZATIONS("identity.organizations", "organization_id, name, created"),
        MEMBERSHIPS("identity.memberships", "user_id, organization_id, is_administrator"),
        CASES("cases.cases", "case_id, title, rule_set, phase_id, status, revision, response_deadline_days, created, created_by, organization_id, closed_at, close_reason"),
        PARTICIPANTS("cases.participants", "case_id, user_id, organization_id, party_id, is_primary, is_observer, added, case_created"),
        PHASE_STARTS("cases.phase_starts", "case_id, phase_id, started_at"),
        DEADLINES("cases.deadlines", "deadline_id, case_id, phase_id, document_id, party_id, trigger_at, rule, raw_date, rolled_date, late, set_for, remind_days"),
        HEADS("mainapi.heads", "case_id, last_number, head_hash, entered_at"),
        FILINGS("mainapi.filings", "filing_id, case_id, document_id, phase_id, party_id, user_id, organization_id, state, title, fields, revision, created, updated, submitted_at, entry_id"),
        ENTRIES("mainapi.entries", "entry_id, case_id, number, filing_id, entered_at, user_id, organization_id, phase_id, document_id, party_id, title, fields, previous_hash, hash, version, salt"),
        AUDIT("platform.audit", "audit_id, case_id, at, user_id, action, subject, request_id, address"),
        EVENTS("platform.events", "sequence, event_id, event, case_id, actor_id, occurred_at, envelope"),
        FEED("webhooks.feed", "organization_id, position, sequence, event, occurred_at"),
        DELIVERIES("webhooks.deliveries", "delivery_id, url_id, organization_id, sequence, event_id, event, state, created"),
        ATTEMPTS("webhooks.attempts", "delivery_id, attempt_id, at, status, duration_millis");

        private final String name;
        private final String columns;

        Table(String name, String columns) {
            this.name = name;
            this.columns = columns;
        }

        /** Whether it has a number of rows for each case. */
        boolean isLarge() {
            return compareTo(MEMBERSHIPS) > 0;
        }

        String sqlName() {
            return name;
        }

        String copy() {
            return "copy %s (%s) from stdin".formatted(name, columns);
        }
    }

    /** What a user is in these cases; their numbers begin at 0. */
    enum Role {
        CLAIMANT(20), RESPONDENT(20), MANAGER(500), ARBITRATOR(100);

        private final int casesOfEach;

        Role(int casesOfEach) {
            this.casesOfEach = casesOfEach;
        }

        int people(int cases) {
            return Math.max(1, cases / casesOfEach);
        }

        static String email(Role role, int number) {
            return "%s-%d@filled.example".formatted(role.name().toLowerCase(Locale.ROOT), number);
        }

        boolean isSide() {
            return this == CLAIMANT || this == RESPONDENT;
        }

        String party() {
            return this == MANAGER ? "caseManager" : name().toLowerCase(Locale.ROOT);
        }
    }

    /** The rows of a block of cases, as lines for COPY. */
    Map<Table, StringBuilder> rows(int from, int to) {
        Map<Table, StringBuilder> rows = none();
        for (int number = from; number < to; number++) {
            add(rows, number);
        }
        return rows;
    }

    /** Those of everybody who is in one of the cases. */
    Map<Table, StringBuilder> people() {
        Map<Table, StringBuilder> rows = none();
        for (Role role : Role.values()) {
            for (int number = 0; number < role.people(cases); number++) {
                UUID userId = userId(role, number);
                Optional<UUID> organization = organizationOf(role, number);
                line(rows.get(Table.USERS), userId, BenchSite.PROVIDER, Role.email(role, number), Role.email(role, number), capital(name(number)), "Filled", newest, newest, organization.orElse(null));
                if (role.isSide()) {
                    line(rows.get(Table.ORGANIZATIONS), organization.orElseThrow(), "Shipping %s %d".formatted(role.party(), number), newest);
                }
                organization.ifPresent(of -> line(rows.get(Table.MEMBERSHIPS), userId, of, role.isSide()));
            }
        }
        return rows;
    }

    private static Map<Table, StringBuilder> none() {
        Map<Table, StringBuilder> rows = new EnumMap<>(Table.class);
        for (Table table : Table.values()) {
            rows.put(table, new StringBuilder());
        }
        return rows;
    }

    UUID caseId(int number) {
        return id(1, number);
    }

    /** Who has this role in a case. The cases of one person are far apart in time, and two sides meet in one case only. */
    int personOf(Role role, int number) {
        int people = role.people(cases);
        return switch (role) {
            case CLAIMANT, MANAGER -> number % people;
            case RESPONDENT, ARBITRATOR -> (int) ((number + (long) number / people) % people);
        };
    }

    static UUID userId(Role role, int number) {
        return id(2 + role.ordinal(), number);
    }

    /** The organization for which somebody acts: a side has its own, arbitrators have none. */
    Optional<UUID> organizationOf(Role role, int number) {
        return switch (role) {
            case CLAIMANT, RESPONDENT -> Optional.of(id(20 + role.ordinal(), number));
            case MANAGER -> Optional.of(institution);
            case ARBITRATOR -> Optional.empty();
        };
    }

    boolean isOpen(int number) {
        return number % CLOSED_ONE_IN != 0;
    }

    static long entryId(int number, int place) {
        return (long) number * ENTRIES + place + 1;
    }

    private static UUID id(int kind, int number) {
        return Identifiers.random(new SplittableRandom(SEED + ((long) kind << 40) + number));
    }

    private Instant created(int number) {
        // The last entries of the newest case are older than the newest case would be.
        return Timestamps.milliseconds(newest.minus(Duration.ofDays(30)).minus(SPAN).plusMillis(SPAN.toMillis() / cases * number));
    }

    private void add(Map<Table, StringBuilder> rows, int number) {
        SplittableRandom random = new SplittableRandom(SEED ^ (long) number << 20);
        UUID caseId = caseId(number);
        Instant created = created(number);
        Map<Role, UUID> people = new EnumMap<>(Role.class);
        Map<Role, Optional<UUID>> organizations = new EnumMap<>(Role.class);
        for (Role role : Role.values()) {
            people.put(role, userId(role, personOf(role, number)));
            organizations.put(role, organizationOf(role, personOf(role, number)));
            line(rows.get(Table.PARTICIPANTS), caseId, people.get(role), organizations.get(role).orElse(null), role.party(), role != Role.ARBITRATOR, false, created, created);
        }
        boolean open = isOpen(number);
        line(rows.get(Table.CASES), caseId, "%s v. %s".formatted(capital(word(random)), capital(word(random))), "commercial", PHASE, open ? "open" : "closed", 5, 21, created,
                people.get(Role.CLAIMANT), organizations.get(Role.CLAIMANT).orElse(null), open ? null : created.plus(Duration.ofDays(29)), open ? null : "settled");
        line(rows.get(Table.PHASE_STARTS), caseId, PHASE, created);
        LocalDate due = newest.atOffset(ZoneOffset.UTC).toLocalDate().plusDays(90 + random.nextInt(300));
        line(rows.get(Table.DEADLINES), id(30, number), caseId, PHASE, "statementOfClaim", "claimant", created, "30 calendar days from the creation of the case", due, due, "mark",
                due.atTime(23, 59, 59).toInstant(ZoneOffset.UTC), "{7,1}");
        event(rows.get(Table.EVENTS), new Logged((long) number * EVENTS + 1, id(31, number), "case_created", created), caseId, people.get(Role.CLAIMANT),
                new JsonObject().put("caseID", caseId.toString()));
        audit(rows.get(Table.AUDIT), number, caseId, created, people, random);
        String hash = ContentHash.FIRST_PREVIOUS_HASH;
        Instant enteredAt = created;
        for (int place = 0; place < ENTRIES; place++) {
            enteredAt = created.plus(Duration.ofDays(2L * place)).plusMillis(random.nextInt(86_400_000));
            Role filer = place % 2 == 0 ? Role.CLAIMANT : Role.RESPONDENT;
            DocketEntry entry = entry(caseId, number, place, people.get(filer), organizations.get(filer), filer.party(), enteredAt, hash, random);
            hash = entry.hash();
            docketed(rows, entry);
            Logged logged = new Logged((long) number * EVENTS + place + 2, id(40 + place, number), "docket_filing", enteredAt);
            event(rows.get(Table.EVENTS), logged, caseId, people.get(filer), EntryJson.eventData(entry));
            delivered(rows, logged, entry.entryId().value());
        }
        line(rows.get(Table.HEADS), caseId, ENTRIES, hash, enteredAt);
    }

    private static DocketEntry entry(
            UUID caseId, int number, int place, UUID userId, Optional<UUID> organizationId, String party, Instant enteredAt, String previousHash, SplittableRandom random) {
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        Map<String, Object> fields = Map.of(
                "documentServed", IntStream.range(0, WORDS_OF_AN_ENTRY).mapToObj(i -> word(random)).collect(Collectors.joining(" ")),
                "servedOn", capital(word(random)), "serviceDate", enteredAt.atOffset(ZoneOffset.UTC).toLocalDate().toString(), "signedBy", capital(word(random)));
        long id = entryId(number, place);
        return new DocketEntry(new EntryId(id), new CaseId(caseId), place + 1, new FilingId(id), enteredAt, new UserId(userId), organizationId.map(OrganizationId::new),
                new PhaseId(PHASE), new DocumentTypeId(DOCUMENT), new PartyId(party), "Certificate of service on " + capital(word(random)), fields,
                Optional.empty(), Optional.empty(), Optional.empty(), new EntryForm.Version2(HexFormat.of().formatHex(salt), List.of()), previousHash, "").hashed();
    }

    private static void docketed(Map<Table, StringBuilder> rows, DocketEntry entry) {
        String fields = new JsonObject(entry.fields()).encode();
        UUID organizationId = entry.organizationId().map(OrganizationId::value).orElse(null);
        long id = entry.entryId().value();
        line(rows.get(Table.FILINGS), id, entry.caseId(), DOCUMENT, PHASE, entry.partyId().value(), entry.userId(), organizationId, "docketed", entry.title(), fields, 2,
                entry.enteredAt().minus(Duration.ofHours(1)), entry.enteredAt(), entry.enteredAt(), id);
        line(rows.get(Table.ENTRIES), id, entry.caseId(), entry.number(), id, entry.enteredAt(), entry.userId(), organizationId, PHASE, DOCUMENT, entry.partyId().value(),
                entry.title(), fields, entry.previousHash(), entry.hash(), entry.form().version(), "\\x" + ((EntryForm.Version2) entry.form()).salt());
    }

    /** An event as it is in the log. */
    private record Logged(long sequence, UUID id, String kind, Instant at) {}

    private static void event(StringBuilder rows, Logged logged, UUID caseId, UUID actor, JsonObject data) {
        line(rows, logged.sequence, logged.id, logged.kind, caseId, actor, logged.at, new JsonObject().put("id", logged.id.toString())
                .put("timestamp", Timestamps.text(logged.at)).put("event", logged.kind).put("data", data).encode());
    }

    private void delivered(Map<Table, StringBuilder> rows, Logged logged, long position) {
        // Ended deliveries are kept for 90 days: those of five years ago would be removed while something is measured.
        Instant at = newest.minus(DELIVERED).plusMillis(DELIVERED.toMillis() / (cases * (long) ENTRIES) * position);
        line(rows.get(Table.FEED), institution, position, logged.sequence, logged.kind, logged.at);
        line(rows.get(Table.DELIVERIES), position, urlId, institution, logged.sequence, logged.id, logged.kind, "delivered", at);
        line(rows.get(Table.ATTEMPTS), position, position, at, 204, 12);
    }

    /** Of the lines of a case: its creation, its participants, three of each entry; the rest are reports that were exported. */
    private static void audit(StringBuilder rows, int number, UUID caseId, Instant created, Map<Role, UUID> people, SplittableRandom random) {
        List<String[]> lines = new ArrayList<>(List.<String[]>of(new String[] {"case.created", null}));
        people.values().stream().skip(1).forEach(user -> lines.add(new String[] {"participant.added", user.toString()}));
        for (int place = 0; place < ENTRIES; place++) {
            for (String action : List.of("filing.created", "filing.updated", "filing.submitted-and-docketed")) {
                lines.add(new String[] {action, String.valueOf(entryId(number, place))});
            }
        }
        while (lines.size() < AUDIT_LINES) {
            lines.add(new String[] {"case.exported", null});
        }
        for (int i = 0; i < AUDIT_LINES; i++) {
            line(rows, (long) number * AUDIT_LINES + i + 1, caseId, created.plus(Duration.ofHours(12L * i)), people.get(i % 2 == 0 ? Role.CLAIMANT : Role.RESPONDENT),
                    lines.get(i)[0], lines.get(i)[1], Long.toHexString(random.nextLong() | Long.MIN_VALUE), "203.0.113.7");
        }
    }

    /** A word, as frequent as in texts: a few are in most of them, most in few. */
    static String word(SplittableRandom random) {
        return name((int) (Math.pow(random.nextDouble(), 3) * WORDS));
    }

    private static String name(int rank) {
        String consonants = "bdfgklmnprst";
        String vowels = "aeiou";
        StringBuilder word = new StringBuilder();
        for (int rest = rank + 60; rest > 0; rest /= 60) {
            word.append(consonants.charAt(rest % 60 / 5)).append(vowels.charAt(rest % 5));
        }
        return word.toString();
    }

    private static String capital(String word) {
        return Character.toUpperCase(word.charAt(0)) + word.substring(1);
    }

    private static void line(StringBuilder rows, Object... values) {
        for (int i = 0; i < values.length; i++) {
            if (i > 0) {
                rows.append('\t');
            }
            rows.append(values[i] == null ? "\\N" : values[i].toString().replace("\\", "\\\\"));
        }
        rows.append('\n');
    }
}
