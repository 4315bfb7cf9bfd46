package io.arbitration.mainapi.evidence;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.evidence.ExhibitNumber;
import io.arbitration.platform.objects.Blocks;
import io.arbitration.platform.objects.Fingerprint;
import io.arbitration.platform.objects.ObjectStores;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The evidence of a case for its export: in the order of the exhibit numbers, up to the last ones at a given moment. */
public final class Exhibits {

    private final EvidenceRepository repository;
    private final ObjectStores objects;

    public Exhibits(EvidenceRepository repository, ObjectStores objects) {
        this.repository = repository;
        this.objects = objects;
    }

    /** An exhibit with the fingerprint of its file, 32 bytes for every 256 KiB of it. */
    public record Exhibit(Upload upload, Fingerprint fingerprint) {}

    /**
     * Exhibits after a given one, at most this many.
     *
     * @param lastByParty the number of each party's last exhibit that is read
     * @param after the last one of the previous page; empty: from the first
     */
    public Future<List<Upload>> after(CaseId caseId, Map<PartyId, Integer> lastByParty, Optional<ExhibitNumber> after, int limit) {
        return repository.exhibits(caseId, lastByParty, after, limit);
    }

    /** The same with the fingerprints of the files. */
    public Future<List<Exhibit>> provedAfter(CaseId caseId, Map<PartyId, Integer> lastByParty, Optional<ExhibitNumber> after, int limit) {
        return repository.provedExhibits(caseId, lastByParty, after, limit)
                .map(rows -> rows.stream().map(row -> new Exhibit(row.upload(), row.fingerprint())).toList());
    }

    /** The file; each block is verified before it is passed on. */
    public Future<Blocks> open(Exhibit exhibit) {
        return objects.read(exhibit.upload().address(), exhibit.fingerprint(), 0, exhibit.upload().bytes());
    }
}
