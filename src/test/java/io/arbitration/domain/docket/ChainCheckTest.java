package io.arbitration.domain.docket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.EntryId;
import io.arbitration.domain.FilingId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.hash.ContentHash;
import io.arbitration.domain.hash.Sha256;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The chain of a docket, whole and spoiled in every way. */
class ChainCheckTest {

    private static final String SALT = "ab".repeat(32);
    private static final List<DocketEntry> DOCKET = docket(4);

    /** The first two entries were made before filings had files. */
    private static List<DocketEntry> docket(int entries) {
        List<DocketEntry> docket = new ArrayList<>();
        String before = ContentHash.FIRST_PREVIOUS_HASH;
        for (int number = 1; number <= entries; number++) {
            DocketEntry entry = entry(number, before, "Entry " + number).hashed();
            docket.add(entry);
            before = entry.hash();
        }
        return docket;
    }

    private static DocketEntry entry(int number, String previousHash, String title) {
        return new DocketEntry(new EntryId(100 + number), new CaseId(new UUID(0, 1)), number, new FilingId(number), Instant.EPOCH.plusSeconds(number),
                new UserId(new UUID(0, 2)), Optional.empty(), new PhaseId("response"), new DocumentTypeId("brief"), new PartyId("claimant"), title,
                Map.of("text", "x"), Optional.empty(), Optional.empty(), Optional.empty(),
                number <= 2 ? new EntryForm.Version1() : new EntryForm.Version2(SALT, List.of("c".repeat(64))), previousHash, "");
    }

    private static ChainLink link(DocketEntry entry) {
        return new ChainLink(entry.entryId(), entry.number(), entry.previousHash(), entry.hash(), () -> Optional.of(entry));
    }

    private static List<ChainLink> links(List<DocketEntry> entries) {
        return entries.stream().map(ChainCheckTest::link).toList();
    }

    private static ChainCheck.StatedEnd end(int number) {
        return new ChainCheck.StatedEnd(number, number == 0 ? ContentHash.FIRST_PREVIOUS_HASH : DOCKET.get(number - 1).hash(), Optional.empty());
    }

    private static ChainCheck.Report report(List<ChainLink> links, ChainCheck.StatedEnd end) {
        return ChainCheck.START.after(links).against(end);
    }

    private static Optional<EntryId> id(int number) {
        return Optional.of(new EntryId(100 + number));
    }

    @Test
    void aWholeChainHoldsHoweverItIsCutIntoPages() {
        ChainCheck.Report whole = new ChainCheck.Report(true, 4, DOCKET.getLast().hash(), Optional.empty());
        assertThat(report(links(DOCKET), end(4))).isEqualTo(whole);
        assertThat(ChainCheck.START.after(links(DOCKET.subList(0, 1))).after(links(DOCKET.subList(1, 3))).after(List.of())
                .after(links(DOCKET.subList(3, 4))).against(end(4))).isEqualTo(whole);
    }

    @Test
    void anEmptyDocketHolds() {
        assertThat(report(List.of(), end(0))).isEqualTo(new ChainCheck.Report(true, 0, ContentHash.FIRST_PREVIOUS_HASH, Optional.empty()));
    }

    private static ChainCheck.Report with(int number, ChainLink spoiled) {
        List<ChainLink> links = new ArrayList<>(links(DOCKET));
        links.set(number - 1, spoiled);
        return report(links, end(4));
    }

    @Test
    void aChangedEntryBreaksTheChainThere() {
        DocketEntry was = DOCKET.get(1);
        DocketEntry changed = entry(2, was.previousHash(), "Another title");
        ChainLink link = new ChainLink(was.entryId(), 2, was.previousHash(), was.hash(), () -> Optional.of(changed));
        assertThat(with(2, link)).isEqualTo(new ChainCheck.Report(false, 4, DOCKET.getLast().hash(), id(2)));
    }

    @Test
    void anEntryHashedAnewBreaksTheChainBehindIt() {
        DocketEntry changed = entry(2, DOCKET.getFirst().hash(), "Another title").hashed();
        assertThat(with(2, link(changed)).firstBroken()).isEqualTo(id(3));
    }

    @Test
    void aRowThatReadsAsNoEntryOrCannotBeHashedBreaksTheChainThere() {
        DocketEntry was = DOCKET.get(2);
        assertThat(with(3, new ChainLink(was.entryId(), 3, was.previousHash(), was.hash(), Optional::empty)).firstBroken()).isEqualTo(id(3));
        assertThat(with(3, new ChainLink(was.entryId(), 3, was.previousHash(), was.hash(), () -> {
            throw new IllegalArgumentException("half a surrogate pair");
        })).firstBroken()).isEqualTo(id(3));
    }

    @Test
    void aMissingEntryBreaksTheChainAtTheNext() {
        List<ChainLink> links = links(List.of(DOCKET.get(0), DOCKET.get(2), DOCKET.get(3)));
        assertThat(report(links, end(4))).isEqualTo(new ChainCheck.Report(false, 3, DOCKET.getLast().hash(), id(3)));
    }

    @Test
    void missingLastEntriesAreNoticedThoughNoneCanBeNamed() {
        assertThat(report(links(DOCKET.subList(0, 3)), end(4))).isEqualTo(new ChainCheck.Report(false, 3, DOCKET.getLast().hash(), Optional.empty()));
    }

    @Test
    void anotherLastEntryThanTheStatedOneIsNamed() {
        ChainCheck.StatedEnd other = new ChainCheck.StatedEnd(4, "0".repeat(64), Optional.empty());
        assertThat(report(links(DOCKET), other).firstBroken()).isEqualTo(id(4));
    }

    @Test
    void anEntryBehindTheStatedEndIsNamed() {
        ChainCheck.StatedEnd shorter = new ChainCheck.StatedEnd(3, DOCKET.get(2).hash(), id(4));
        assertThat(report(links(DOCKET.subList(0, 3)), shorter)).isEqualTo(new ChainCheck.Report(false, 3, DOCKET.get(2).hash(), id(4)));
    }

    /** Computed by hand with sha256sum of the canonical JSON, so that the form never changes unnoticed. */
    @Test
    void theHashOfAnEntryOfVersion1IsWhatItAlwaysWas() {
        assertThat(DOCKET.getFirst().hash()).isEqualTo(sha256("{\"caseID\":\"00000000-0000-0000-0000-000000000001\",\"documentID\":\"brief\","
                + "\"enteredAt\":\"1970-01-01T00:00:01.000Z\",\"entryID\":\"101\",\"fields\":{\"text\":\"x\"},\"filingID\":\"1\",\"number\":1,"
                + "\"organizationID\":null,\"parentEntryID\":null,\"partyID\":\"claimant\",\"phaseID\":\"response\",\"previousHash\":\"" + "0".repeat(64)
                + "\",\"rootEntryID\":null,\"supersedes\":null,\"title\":\"Entry 1\",\"userID\":\"00000000-0000-0000-0000-000000000002\"}"));
    }

    @Test
    void theHashOfAnEntryOfVersion2IsThatOfItsLinkWhichHasTheHashOfItsContent() {
        DocketEntry entry = DOCKET.get(2);
        String content = sha256("{\"documentID\":\"brief\",\"enteredAt\":\"1970-01-01T00:00:03.000Z\",\"fields\":{\"text\":\"x\"},\"files\":[\""
                + "c".repeat(64) + "\"],\"filingID\":\"3\",\"organizationID\":null,\"parentEntryID\":null,\"partyID\":\"claimant\",\"phaseID\":\"response\","
                + "\"rootEntryID\":null,\"salt\":\"" + SALT + "\",\"supersedes\":null,\"title\":\"Entry 3\",\"userID\":\"00000000-0000-0000-0000-000000000002\"}");
        assertThat(entry.contentHash()).contains(content);
        assertThat(entry.hash()).isEqualTo(sha256("{\"caseID\":\"00000000-0000-0000-0000-000000000001\",\"contentHash\":\"" + content
                + "\",\"entryID\":\"103\",\"number\":3,\"previousHash\":\"" + DOCKET.get(1).hash() + "\",\"version\":2}"));
    }

    private static String sha256(String text) {
        return Sha256.hex(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    @Test
    void aWithheldLinkOfVersion2VerifiesByTheHashOfItsContentAlone() {
        DocketEntry entry = DOCKET.get(3);
        Map<String, Object> link = Map.of("version", 2, "caseID", entry.caseId().toString(), "number", 4, "entryID", "104",
                "previousHash", entry.previousHash(), "contentHash", entry.contentHash().orElseThrow());
        assertThat(EntryHash.of(link)).isEqualTo(entry.hash());
    }

    @Test
    void anEntryThatStatesAnotherContentHashOrAnUnknownVersionHasNoHash() {
        Map<String, Object> stated = DOCKET.get(3).hashedMembers();
        stated.put("contentHash", "f".repeat(64));
        assertThatThrownBy(() -> EntryHash.of(stated)).isInstanceOf(IllegalArgumentException.class);
        stated.put("version", 3);
        assertThatThrownBy(() -> EntryHash.of(stated)).isInstanceOf(IllegalArgumentException.class);
    }

    /** A salt, a file or a version that is exchanged is a change like any other. */
    @Test
    void nothingOfTheFormCanBeExchanged() {
        DocketEntry was = DOCKET.get(3);
        for (EntryForm other : List.of(new EntryForm.Version1(), new EntryForm.Version2("cd".repeat(32), was.form().files()),
                new EntryForm.Version2(SALT, List.of()), new EntryForm.Version2(SALT, List.of("d".repeat(64))))) {
            DocketEntry changed = new DocketEntry(was.entryId(), was.caseId(), was.number(), was.filingId(), was.enteredAt(), was.userId(),
                    was.organizationId(), was.phaseId(), was.documentTypeId(), was.partyId(), was.title(), was.fields(), was.supersedes(),
                    was.parentEntryId(), was.rootEntryId(), other, was.previousHash(), was.hash());
            assertThat(with(4, link(changed)).firstBroken()).as(other.toString()).isEqualTo(id(4));
        }
    }
}
