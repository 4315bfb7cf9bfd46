package io.arbitration.cases;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.SerializedString;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.domain.cases.MatrixEntry;
import io.arbitration.domain.cases.RuleSet;
import io.arbitration.domain.cases.ScheduledDates;
import io.arbitration.domain.cases.ScheduledPhase;
import io.arbitration.domain.time.Timestamps;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Cases as the interface shows them, straight to UTF-8. Most of a case is the matrix of its rule set, hundreds of
 * entries that never change: those are rendered once and copied, so that a full page takes milliseconds.
 */
final class CaseJson {

    private static final JsonFactory JSON = new JsonFactory();
    private static final int CASE_BYTES = 32 * 1024;

    private final CaseRules rules;
    /** By rule set, then phase: the array {@code documents}. */
    private final Map<String, Map<String, SerializableString>> documents = new HashMap<>();

    CaseJson(CaseRules rules) {
        this.rules = rules;
        for (RuleSet ruleSet : rules.definitions().ruleSets()) {
            Map<String, SerializableString> byPhase = new HashMap<>();
            ruleSet.phases().forEach(phase -> byPhase.put(phase.phaseID(), new SerializedString(documents(phase).encode())));
            documents.put(ruleSet.id(), byPhase);
        }
    }

    /** What a body is written with. */
    @FunctionalInterface
    private interface Writing {
        void to(JsonGenerator json) throws IOException;
    }

    /** A case on its own; {@code docketed} may be empty where the schedule doesn't follow the docket. */
    Buffer one(Case shown, Map<String, Instant> docketed) {
        return written(CASE_BYTES, json -> write(json, shown, docketed));
    }

    /** A page of cases; {@code docketed} by case. */
    Buffer page(CasesService.Page page, Map<UUID, Map<String, Instant>> docketed) {
        return written(CASE_BYTES * (page.cases().size() + 1), json -> {
            json.writeStartObject();
            json.writeArrayFieldStart("cases");
            for (Case shown : page.cases()) {
                write(json, shown, docketed.getOrDefault(shown.caseId(), Map.of()));
            }
            json.writeEndArray();
            text(json, "nextCursor", page.next().map(CaseCursor::text));
            json.writeEndObject();
        });
    }

    /** The answer that lists participants. */
    Buffer participants(List<Participant> participants) {
        return written(CASE_BYTES, json -> {
            json.writeStartObject();
            write(json, participants);
            json.writeEndObject();
        });
    }

    private void write(JsonGenerator json, Case shown, Map<String, Instant> docketed) throws IOException {
        json.writeStartObject();
        json.writeStringField("caseID", shown.caseId().toString());
        json.writeStringField("title", shown.title());
        json.writeStringField("ruleSet", shown.ruleSet());
        json.writeStringField("phaseID", shown.phaseID());
        json.writeStringField("status", shown.status());
        json.writeNumberField("revision", shown.revision());
        json.writeStringField("created", Timestamps.text(shown.created()));
        write(json, shown.participants());
        json.writeObjectFieldStart("timetable");
        json.writeArrayFieldStart("phases");
        for (ScheduledDates phase : rules.schedule(shown.ruleSet(), shown.phaseID(), shown.isOpen(), shown.dates(docketed))) {
            write(json, phase, documents.get(shown.ruleSet()).get(phase.phaseID()));
        }
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, List<Participant> participants) throws IOException {
        json.writeArrayFieldStart("participants");
        for (Participant participant : participants) {
            json.writeStartObject();
            json.writeStringField("userID", participant.userId().toString());
            text(json, "organizationID", participant.organizationId().map(UUID::toString));
            json.writeStringField("partyID", participant.partyID());
            json.writeBooleanField("isPrimary", participant.isPrimary());
            json.writeBooleanField("isObserver", participant.isObserver());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void write(JsonGenerator json, ScheduledDates phase, SerializableString documents) throws IOException {
        json.writeStartObject();
        json.writeStringField("phaseID", phase.phaseID());
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
                    .put("documentID", entry.documentID())
                    .put("filedBy", party)
                    .put("approvedBy", entry.approvedBy().orElse(null))
                    .put("maxAllowed", entry.maxAllowed())
                    .put("required", entry.required())));
        }
        return documents;
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
