package io.arbitration.ai.award;

import io.arbitration.ai.award.EvidenceRightsRepository.Evidence;
import io.arbitration.ai.context.Material;
import io.arbitration.platform.batching.SequentialWork;
import io.arbitration.platform.events.AuditTrail;
import io.arbitration.platform.objects.Bucket;
import io.arbitration.platform.objects.ObjectAddress;
import io.arbitration.platform.objects.ObjectFailure;
import io.arbitration.platform.objects.ObjectStores;
import io.arbitration.platform.reading.ObjectReader;
import io.arbitration.platform.reading.Reading;
import io.arbitration.platform.reading.Unreadable;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the inputs of an award. Knowing an address gives no right to read it: evidence of a case is read only for a caller who may
 * see that evidence now; for everybody else the object does not exist.
 */
public final class AwardInputs {

    /** The folders of evidence and of files of filings. An object in them that the database does not know is not read for anybody. */
    private static final List<String> FOLDERS = List.of("uploads/", "filings/");
    /** The characters of all texts together, which bound the memory that an award takes. */
    private static final int CHARACTERS_MAX = 10_000_000;
    private static final long PICTURES_BYTES_MAX = 50L * 1024 * 1024;
    private static final Logger LOG = LoggerFactory.getLogger(AwardInputs.class);

    /** An input with its content. */
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

    public AwardInputs(ObjectStores objects, Optional<ObjectReader> reader, EvidenceRightsRepository rights, Bucket evidence, Clock clock) {
        this.objects = objects;
        this.reader = reader;
        this.rights = rights;
        this.evidence = evidence;
        this.clock = clock;
    }

    /** The addresses of the inputs; refuses an address that is in none of the configured buckets. */
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
        return known(request, addresses).compose(known -> readAll(addresses, known).compose(all -> rights.recordReading(lines(request, known)).map(all)));
    }

    /** Refuses when the requester may no longer read one of the inputs, for instance because it was removed from the case while the model worked. */
    Future<Void> checkStillReadable(AwardRequest request, Map<AwardRequest.Input, ObjectAddress> addresses) {
        return known(request, addresses).mapEmpty();
    }

    /** What is known of the inputs, all of which the requester may read now. */
    private Future<Map<String, Evidence>> known(AwardRequest request, Map<AwardRequest.Input, ObjectAddress> addresses) {
        return rights.among(addresses.values().stream().map(ObjectAddress::toString).distinct().toList(), request.requester().userId()).map(known -> {
            addresses.forEach((input, address) -> checkMayRead(input, address, Optional.ofNullable(known.get(address.toString()))));
            return known;
        });
    }

    private void checkMayRead(AwardRequest.Input input, ObjectAddress address, Optional<Evidence> known) {
        boolean isEvidence = known.isPresent() || address.bucket().equals(evidence) && FOLDERS.stream().anyMatch(address.path()::startsWith);
        if (isEvidence && !known.map(Evidence::readable).orElse(false)) {
            throw AwardError.MISSING.refusal(input.gsUrl());
        }
    }

    /** Reads the inputs one after the other, so that a request never occupies the node with more than one file. */
    private Future<List<Read>> readAll(Map<AwardRequest.Input, ObjectAddress> addresses, Map<String, Evidence> known) {
        Size size = new Size();
        return SequentialWork.each(addresses.entrySet(), one -> read(one.getKey(), one.getValue(), Optional.ofNullable(known.get(one.getValue().toString()))).map(reading -> {
            size.add(reading);
            return new Read(one.getKey(), reading);
        }));
    }

    /** The size of what was read so far; refuses more than is allowed. */
    private static final class Size {
        private long characters;
        private long pictures;

        void add(Reading reading) {
            characters += reading.text().length();
            pictures += reading.pictures().stream().mapToLong(picture -> picture.bytes().length).sum();
            if (characters > CHARACTERS_MAX || pictures > PICTURES_BYTES_MAX) {
                throw AwardError.ALL_TOO_LONG.refusal();
            }
        }
    }

    private Future<Reading> read(AwardRequest.Input input, ObjectAddress address, Optional<Evidence> known) {
        return reader.orElseThrow().read(address, known.flatMap(Evidence::upload).map(EvidenceRightsRepository.Upload::fingerprint), input.contentType())
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
        return known.values().stream().filter(Evidence::readable).flatMap(evidence -> evidence.upload().stream())
                .map(upload -> new AuditTrail.Line(upload.caseId(), clock.instant(), request.requester().userId(), upload.filed() ? "file.read-for-award" : "evidence.read-for-award",
                        String.valueOf(upload.id()), request.requester().requestId(), request.requester().address()))
                .toList();
    }
}
