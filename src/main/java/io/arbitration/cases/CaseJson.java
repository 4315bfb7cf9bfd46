package io.arbitration.cases;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.SerializedString;
import io.arbitration.domain.OrganizationId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.cases.Action;
import io.arbitration.domain.cases.Case;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.domain.cases.MatrixEntry;
import io.arbitration.domain.cases.Participant;
import io.arbitration.domain.cases.RuleSet;
import io.arbitration.domain.cases.ScheduledDates;
import io.arbitration.domain.cases.ScheduledPhase;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.answer.DeadlineJson;
import io.arbitration.platform.answer.TimeCursor;
import io.arbitration.platform.listing.PageByKey;
import io.arbitration.platform.events.AuditTrail;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes cases as JSON in UTF-8. Most of a case is the matrix of its rule set, hundreds of elements that never change. They are
 * encoded once and then copied, so that a full page takes milliseconds.
 */
final class CaseJson {

    private static final JsonFactory JSON = new JsonFactory();
    private static final int CASE_BYTES = 32 * 1024;
    /** The most bytes of a page of cases; a single case may be larger. */
    static final long PAGE_BYTES_MAX = 4 * 1024 * 1024;
    /** The most bytes of a case without its participants and matrix: a title of 200 characters, with at most 6 bytes each. */
    private static final int CASE_FRAME_BYTES = 2048;
    private static final int PHASE_FRAME_BYTES = 320;
    private static final int PARTICIPANT_BYTES_MAX = 272;


    private final CaseRules rules;
    /** By rule set, then phase: the array {@code documents}. */
    private final Map<String, Map<PhaseId, SerializableString>> documents = new HashMap<>();
    /** The most bytes of the timetable of a case, by rule set. */
    private final Map<String, Long> timetableBytesMax = new HashMap<>();

    CaseJson(CaseRules rules) {
        this.rules = rules;
        for (RuleSet ruleSet : rules.definitions().ruleSets()) {
            Map<PhaseId, SerializableString> byPhase = new HashMap<>();
            ruleSet.phases().forEach(phase -> byPhase.put(phase.phaseId(), new SerializedString(documents(phase).encode())));
            documents.put(ruleSet.id(), byPhase);
            timetableBytesMax.put(ruleSet.id(), byPhase.values().stream()
                    .mapToLong(matrix -> PHASE_FRAME_BYTES + matrix.asUnquotedUTF8().length)
                    .sum());
        }
    }

    /** The writer of a body. */
    @FunctionalInterface
    private interface Writing {
        void to(JsonGenerator json) throws IOException;
    }

    /** The most bytes of a case in a page. */
    long bytesMax(CasesRepository.Listed listed) {
        return CASE_FRAME_BYTES + timetableBytesMax.get(listed.ruleSet()) + (long) PARTICIPANT_BYTES_MAX * listed.participants();
    }

    /** The JSON of one case. */
    Buffer one(CaseView shown) {
        return written(CASE_BYTES, json -> write(json, shown));
    }

    /** A page of cases. */
    Buffer page(CasesService.Page page) {
        return written(CASE_BYTES, json -> {
            json.writeStartObject();
            json.writeArrayFieldStart("cases");
            for (CaseView shown : page.cases()) {
                write(json, shown);
            }
            json.writeEndArray();
            text(json, "nextCursor", page.next().map(TimeCursor::text));
            json.writeEndObject();
        });
    }

    /** A page of participants. */
    Buffer participants(PageByKey<Participant> page) {
        return written(CASE_BYTES, json -> {
            json.writeStartObject();
            write(json, page.items());
            text(json, "nextCursor", page.next());
            json.writeEndObject();
        });
    }

    private void write(JsonGenerator json, CaseView view) throws IOException {
        Case shown = view.of();
        json.writeStartObject();
        json.writeStringField("caseID", shown.caseId().toString());
        json.writeStringField("title", shown.title());
        json.writeStringField("ruleSet", shown.ruleSet());
        json.writeStringField("phaseID", shown.phaseId().value());
        json.writeStringField("status", shown.isOpen() ? "open" : "closed");
        json.writeNumberField("revision", shown.revision());
        json.writeStringField("created", Timestamps.text(shown.created()));
        if (shown.clock().sandbox().isPresent()) {
            json.writeBooleanField("sandbox", true);
            json.writeStringField("now", Timestamps.text(shown.clock().sandbox().get()));
        }
        if (shown.seat().isPresent()) {
            json.writeStringField("seat", shown.seat().get().code());
        }
        write(json, shown.participants());
        json.writeObjectFieldStart("timetable");
        json.writeArrayFieldStart("phases");
        for (ScheduledDates phase : rules.schedule(
                shown.ruleSet(), shown.phaseId(), shown.isOpen(), shown.dates(view.triggering()))) {
            write(json, phase, documents.get(shown.ruleSet()).get(phase.phaseId()));
        }
        json.writeEndArray();
        json.writeStringField("timeZone", rules.timeZone(shown.ruleSet()).getId());
        json.writeEndObject();
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, List<Participant> participants) throws IOException {
        json.writeArrayFieldStart("participants");
        for (Participant participant : participants) {
            json.writeStartObject();
            json.writeStringField("userID", participant.userId().toString());
            text(json, "organizationID", participant.organizationId().map(OrganizationId::toString));
            json.writeStringField("partyID", participant.partyId().value());
            json.writeBooleanField("isPrimary", participant.isPrimary());
            json.writeBooleanField("isObserver", participant.isObserver());
            json.writeBooleanField("mayFile", participant.mayFile());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void write(JsonGenerator json, ScheduledDates phase, SerializableString documents) throws IOException {
        json.writeStartObject();
        json.writeStringField("phaseID", phase.phaseId().value());
        text(json, "scheduledStart", phase.start().map(Timestamps::text));
        text(json, "scheduledEnd", phase.end().map(Timestamps::text));
        text(json, "filingDeadline", phase.filingDeadline().map(Timestamps::text));
        json.writeFieldName("documents");
        json.writeRawValue(documents);
        json.writeEndObject();
    }

    private static void text(JsonGenerator json, String name, Optional<String> text) throws IOException {
        if (text.isPresent()) {
            json.writeStringField(name, text.get());
        } else {
            json.writeNullField(name);
        }
    }

    /** The matrix of a phase: one element for each party that files a document. */
    private static JsonArray documents(ScheduledPhase phase) {
        JsonArray documents = new JsonArray();
        for (MatrixEntry entry : phase.documents()) {
            entry.filedBy().forEach(party -> documents.add(new JsonObject()
                    .put("documentID", entry.documentId().value())
                    .put("filedBy", party.value())
                    .put("approvedBy", entry.approvedBy().map(PartyId::value).orElse(null))
                    .put("maxAllowed", entry.maxAllowed())
                    .put("required", entry.required())));
        }
        return documents;
    }

    static JsonObject actions(List<Action> actions) {
        return new JsonObject().put("actions", new JsonArray(actions.stream().map(CaseJson::action).toList()));
    }

    private static JsonObject action(Action action) {
        JsonObject json = new JsonObject().put("action", action.kind().wireName());
        action.documentId().ifPresent(id -> json.put("documentID", id.value()));
        action.filingId().ifPresent(id -> json.put("filingID", id.toString()));
        action.quotaLeft().ifPresent(left -> json.put("quotaLeft", left));
        action.deadline().ifPresent(deadline -> json.put("deadline", DeadlineJson.of(deadline)));
        return json;
    }

    /** @param next where the next page starts; empty after the last */
    static JsonObject audit(List<AuditTrail.Entry> page, Optional<Long> next) {
        return new JsonObject()
                .put("entries", new JsonArray(page.stream().map(entry -> entry.line().json()).toList()))
                .put("nextCursor", next.map(String::valueOf).orElse(null));
    }

    private static Buffer written(int bytes, Writing writing) {
        ByteArrayOutputStream body = new ByteArrayOutputStream(bytes);
        try (JsonGenerator json = JSON.createGenerator(body, JsonEncoding.UTF8)) {
            writing.to(json);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return Buffer.buffer(body.toByteArray());
    }
}
