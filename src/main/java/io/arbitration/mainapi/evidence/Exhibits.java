package io.arbitration.mainapi.evidence;

import io.arbitration.domain.PhaseId;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.domain.cases.Party;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.events.AuditTrail;
import io.arbitration.platform.objects.Blocks;
import io.arbitration.platform.objects.Fingerprint;
import io.arbitration.platform.objects.ObjectStores;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** The evidence of a case as its export takes it: in the order of the exhibit numbers, up to where it ended at some moment. */
public final class Exhibits {

    private final ExhibitRepository repository;
    private final ObjectStores objects;
    private final Set<String> openPhases;

    public Exhibits(AreaServices services, CaseRules rules) {
        this.repository = new ExhibitRepository(services.database(), services.audit());
        this.objects = services.objects();
        this.openPhases = rules.phasesOfSharedEvidence().stream().map(PhaseId::value).collect(Collectors.toUnmodifiableSet());
    }

    /** An exhibit; what proves its file is there only when asked for. */
    public record Exhibit(Upload upload, Fingerprint fingerprint) {

        public String number() {
            return Upload.exhibitNumber(upload.partyId(), upload.exhibit());
        }

        public String partyId() {
            return upload.partyId();
        }

        public int inParty() {
            return upload.exhibit();
        }

        public String uploadId() {
            return String.valueOf(upload.uploadId());
        }

        public String fileName() {
            return upload.fileName();
        }

        public String contentType() {
            return upload.contentType();
        }

        public long bytes() {
            return upload.bytes();
        }

        public JsonObject json() {
            return upload.exported();
        }
    }

    /**
     * The exhibits that somebody sees, of those up to the last number of each party: the rule of {@code /evidence/uploads/list}.
     *
     * @param partyId null without a part in the case
     * @param seesAll whether the caller sees what the case manager sees
     */
    public Map<String, Integer> seen(Map<String, Integer> lastExhibits, String phaseId, String partyId, boolean isObserver, boolean seesAll) {
        boolean all = seesAll || partyId != null && openPhases.contains(phaseId) || Party.CASE_MANAGER.value().equals(partyId) && !isObserver;
        return lastExhibits.entrySet().stream()
                .filter(last -> all || last.getKey().equals(partyId) && !isObserver)
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** Exhibits after one of a party, at most so many; after nothing: an empty party and 0. */
    public Future<List<Exhibit>> after(UUID caseId, Map<String, Integer> seen, String partyId, int exhibit, boolean proved, int limit) {
        return repository.after(caseId, seen, partyId, exhibit, proved, limit);
    }

    /** Says in the audit trail that an exhibit is read. */
    public Future<Void> leaveLine(Exhibit exhibit, UUID userId, Instant at, String requestId, String address) {
        return repository.leaveLine(new AuditTrail.Line(
                exhibit.upload.caseId(), at, userId, "evidence.exported", exhibit.uploadId(), requestId, address));
    }

    /** The file, each block proved before it is handed out. */
    public Future<Blocks> open(Exhibit exhibit) {
        return objects.read(exhibit.upload.address(), exhibit.fingerprint, 0, exhibit.bytes());
    }
}
