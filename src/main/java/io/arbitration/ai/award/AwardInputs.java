package io.arbitration.ai.award;

import io.arbitration.ai.award.EvidenceRightsRepository.Evidence;
import io.arbitration.ai.context.Material;
import io.arbitration.ai.reading.ObjectReader;
import io.arbitration.ai.reading.Reading;
import io.arbitration.ai.reading.Unreadable;
import io.arbitration.platform.events.AuditTrail;
import io.arbitration.platform.objects.Bucket;
import io.arbitration.platform.objects.ObjectAddress;
import io.arbitration.platform.objects.ObjectFailure;
import io.arbitration.platform.objects.ObjectStores;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what an award is drafted from. An address is no permission: what is evidence of a case is read for those alone who may
 * see that evidence now, and to everybody else it is as if nothing were there.
 */
final class AwardInputs {

    /** The folder that evidence is stored in; nothing else in it is read, whether or not the database knows it. */
    private static final String EVIDENCE_FOLDER = "uploads/";
    /** Of all texts together, so that they have room in memory. */
    private static final int CHARACTERS_MAX = 10_000_000;
    private static final long PICTURES_BYTES_MAX = 50L * 1024 * 1024;
    private static final Logger LOG = LoggerFactory.getLogger(AwardInputs.class);

    /** An input with what it says. */
    record Read(AwardRequest.Input input, Reading reading) {

        Material material() {
            return Material.of(switch (input) {
                case AwardRequest.StoredDocument document -> new JsonObject().put("kind", "document");
                case AwardRequest.Exhibit exhibit -> new JsonObject().put("kind", "exhibit").put("number", exhibit.number())
                        .put("party", exhibit.party()).put("description", exhibit.description());
            }, reading);
        }
    }

    private final ObjectStores objects;
    private final Optional<ObjectReader> reader;
    private final EvidenceRightsRepository rights;
    private final Bucket evidence;
    private final Clock clock;

    AwardInputs(ObjectStores objects, Optional<ObjectReader> reader, EvidenceRightsRepository rights, Bucket evidence, Clock clock) {
        this.objects = objects;
        this.reader = reader;
        this.rights = rights;
        this.evidence = evidence;
        this.clock = clock;
    }

    /** Refuses what can be refused by its address alone. */
    Map<AwardRequest.Input, ObjectAddress> addresses(AwardRequest request) {
        Map<AwardRequest.Input, ObjectAddress> addresses = new LinkedHashMap<>();
        inputs(request).forEach(input -> addresses.put(input, ObjectAddress.parse(input.gsUrl())
                .filter(address -> objects.isConfigured(address.bucket()))
                .orElseThrow(() -> AwardError.OUTSIDE_BUCKETS.refusal(input.gsUrl()))));
        return addresses;
    }

    private static Stream<AwardRequest.Input> inputs(AwardRequest request) {
        return Stream.concat(request.documents().stream(), request.exhibits().stream());
    }

    Future<List<Read>> read(AwardRequest request, Map<AwardRequest.Input, ObjectAddress> addresses) {
        return rights.among(addresses.values().stream().map(ObjectAddress::toString).distinct().toList(), request.by().userId())
                .compose(known -> {
                    addresses.forEach((input, address) -> checkMayRead(input, address, known.get(address.toString())));
                    return readAll(addresses, known).compose(all -> rights.recordReading(lines(request, known)).map(all));
                });
    }

    private void checkMayRead(AwardRequest.Input input, ObjectAddress address, Evidence known) {
        boolean isEvidence = known != null || address.bucket().equals(evidence) && address.path().startsWith(EVIDENCE_FOLDER);
        if (isEvidence && (known == null || !known.readable())) {
            throw AwardError.MISSING.refusal(input.gsUrl());
        }
    }

    /** One after the other: a request takes no more of the node than one file at a time. */
    private Future<List<Read>> readAll(Map<AwardRequest.Input, ObjectAddress> addresses, Map<String, Evidence> known) {
        Future<List<Read>> done = Future.succeededFuture(new ArrayList<>());
        Room room = new Room();
        for (Map.Entry<AwardRequest.Input, ObjectAddress> one : addresses.entrySet()) {
            done = done.compose(before -> read(one.getKey(), one.getValue(), known.get(one.getValue().toString())).map(reading -> {
                room.take(reading);
                before.add(new Read(one.getKey(), reading));
                return before;
            }));
        }
        return done;
    }

    private static final class Room {
        private long characters;
        private long pictures;

        void take(Reading reading) {
            characters += reading.text().length();
            pictures += reading.pictures().stream().mapToLong(picture -> picture.bytes().length).sum();
            if (characters > CHARACTERS_MAX || pictures > PICTURES_BYTES_MAX) {
                throw AwardError.ALL_TOO_LONG.refusal();
            }
        }
    }

    private Future<Reading> read(AwardRequest.Input input, ObjectAddress address, Evidence known) {
        return reader.orElseThrow().read(address, Optional.ofNullable(known).map(Evidence::fingerprint), input.contentType())
                .recover(failure -> Future.failedFuture(switch (failure) {
                    case Unreadable unreadable -> AwardError.of(unreadable, input.gsUrl());
                    case ObjectFailure unavailable -> {
                        LOG.error("award: {}", unavailable.getMessage());
                        yield AwardError.STORE.refusal().retryAfter(2);
                    }
                    default -> failure;
                }));
    }

    private List<AuditTrail.Line> lines(AwardRequest request, Map<String, Evidence> known) {
        return known.values().stream().filter(Evidence::readable)
                .map(evidence -> new AuditTrail.Line(evidence.caseId(), clock.instant(), request.by().userId(), "evidence.read-for-award",
                        String.valueOf(evidence.uploadId()), request.by().requestId(), request.by().address()))
                .toList();
    }
}
