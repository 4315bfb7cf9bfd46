package io.arbitration.domain.docket;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.EntryId;
import io.arbitration.domain.FilingId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.hash.ContentHash;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The chain of a docket, whole and spoiled in every way. */
class ChainCheckTest {

    private static final List<DocketEntry> DOCKET = docket(4);

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
                Map.of("text", "x"), Optional.empty(), Optional.empty(), Optional.empty(), previousHash, "");
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
}
