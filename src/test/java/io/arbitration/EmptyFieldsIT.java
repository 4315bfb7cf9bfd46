package io.arbitration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.arbitration.RunningPlatform.Answer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Every field of every request, as the contracts have it, sent in the ways that clients send it when they have nothing to say:
 * null instead of nothing, and ids that are none.
 */
class EmptyFieldsIT {

    /** Ids of no form that any id has. The last is longer than any other field may be. */
    private static final List<String> NO_IDS = List.of("", " ", "0", "-1", "1.5", "no such id", "../../etc/passwd", "\u958b\u5ead", "%s%n",
            "5f0c2b9e-8f5a-4c37-9a51-3a6d1f0e7b21x", "9".repeat(40), "a".repeat(37), "a".repeat(101), "z".repeat(20_000));
    /** Names of definitions and of templates are ids as well. */
    private static final Set<String> IDS_BY_ANOTHER_NAME = Set.of("supersedes", "mailType", "ruleSet", "kid", "vapidKey");
    /** Bounded by the specification, or stored as they come. */
    private static final Set<String> BOUNDED_IDS = Set.of("listEvidenceUploads caseID", "createEvidenceUpload caseID", "viewEvidenceUpload caseID", "downloadEvidenceUpload caseID",
            "createCase requestID", "uploadPdfTemplate documentID");
    /** Fields whose null means something: it takes a reference away. */
    private static final Set<String> NULL_MEANS = Set.of("updateFiling supersedes", "updateFiling parentEntryID", "createCase organizationID",
            "addParticipant organizationID", "acceptCaseInvitation organizationID", "updateHearing place", "updateHearing link", "updateHearing agenda");

    private static final ExecutorService ASKING = Executors.newFixedThreadPool(4);

    /** A field of the body of an operation. */
    private record Field(String operation, String name, JsonNode schema, boolean required, boolean inForm) {

        boolean isId() {
            return name.endsWith("ID") || IDS_BY_ANOTHER_NAME.contains(name);
        }

        boolean takesNull() {
            return EmptyFieldsIT.takesNull(schema);
        }

        @Override
        public String toString() {
            return operation + " " + name;
        }
    }

    private static boolean takesNull(JsonNode schema) {
        return schema.path("type").toString().contains("\"null\"") || schema.path("oneOf").toString().contains("\"null\"")
                || !schema.has("type") && !schema.has("oneOf") && !schema.has("$ref");
    }

    private static List<Field> fields(Predicate<Field> wanted) throws IOException {
        List<Field> fields = new ArrayList<>();
        for (ShippedContracts.Operation operation : ShippedContracts.operations()) {
            JsonNode content = operation.resolved(operation.node().path("requestBody")).path("content");
            JsonNode form = content.path("multipart/form-data").path("schema");
            JsonNode schema = operation.resolved(form.isMissingNode() ? content.path("application/json").path("schema") : form);
            Set<String> required = new HashSet<>();
            schema.path("required").forEach(name -> required.add(name.asText()));
            schema.path("properties").properties().forEach(member -> fields.add(new Field(operation.id(), member.getKey(),
                    operation.resolved(member.getValue()), required.contains(member.getKey()), !form.isMissingNode())));
        }
        return fields.stream().filter(wanted).toList();
    }

    /** What is refused changes nothing, so that an operation's requests may name the same things. */
    private static PermissionMatrixIT.Play playOf(Field field, Map<String, PermissionMatrixIT.Play> plays) throws IOException {
        if (!plays.containsKey(field.operation)) {
            plays.put(field.operation, PermissionMatrixIT.play(field.operation));
        }
        return plays.get(field.operation);
    }

    @BeforeEach
    void thereIsRoom() {
        PermissionMatrixIT.tidy();
    }

    @AfterAll
    static void othersFindRoom() {
        ASKING.close();
        PermissionMatrixIT.tidy();
    }

    private static String told(Answer answer) {
        return answer.status() < 400 ? String.valueOf(answer.status())
                : "%d %s %s".formatted(answer.status(), answer.header("Error-Code"), answer.body());
    }

    @Test
    void anOptionalFieldThatIsNullIsAsIfItWereLeftOut() throws IOException {
        List<Field> optional = fields(field -> !field.required && !field.inForm && !NULL_MEANS.contains(field.toString()));
        assertThat(optional).as("optional fields of all operations").hasSizeGreaterThan(90).allMatch(Field::takesNull);
        List<String> different = new ArrayList<>();
        for (Field field : optional) {
            Answer without = PermissionMatrixIT.play(field.operation).with(body -> {
                body.remove(field.name);
                return body;
            });
            Answer withNull = PermissionMatrixIT.play(field.operation).with(body -> body.putNull(field.name));
            if (!told(without).equals(told(withNull))) {
                different.add("%s: %s, with null %s".formatted(field, told(without), told(withNull)));
            }
        }
        assertThat(different).isEmpty();
    }

    /** Of each optional field inside of another one: the request that a play has, with that field as it is told here. */
    private static final Map<String, BiFunction<JsonObject, UnaryOperator<JsonObject>, JsonObject>> INSIDE = Map.of(
            "sendNotice recipients.userID", (body, told) -> body.put("recipients", new JsonArray().add(told.apply(new JsonObject().put("email", "null-" + UUID.randomUUID() + "@example.org")))),
            "sendNotice recipients.email", (body, told) -> body.put("recipients", new JsonArray().add(told.apply(new JsonObject().put("userID", PermissionMatrixIT.CASE.manager().id())))),
            "subscribeToWebPush subscription.expirationTime", (body, told) -> body.put("subscription", told.apply(body.getJsonObject("subscription"))),
            "subscribeToWebPushAnonymously subscription.expirationTime", (body, told) -> body.put("subscription", told.apply(body.getJsonObject("subscription"))),
            "generateAward exhibits.description", (body, told) -> body.put("exhibits", new JsonArray().add(told.apply(exhibit()))),
            "generateAward exhibits.party", (body, told) -> body.put("exhibits", new JsonArray().add(told.apply(exhibit()))));

    private static JsonObject exhibit() {
        return new JsonObject().put("number", "C-1").put("gsUrl", "file://evidence/a.txt").put("contentType", "text/plain");
    }

    private static void optionalInside(ShippedContracts.Operation operation, JsonNode given, String place, Set<String> found) {
        JsonNode schema = operation.resolved(given);
        if (schema.has("items")) {
            optionalInside(operation, schema.get("items"), place, found);
        }
        Set<String> required = new HashSet<>();
        schema.path("required").forEach(name -> required.add(name.asText()));
        schema.path("properties").properties().forEach(member -> {
            String name = member.getKey();
            if (!place.isEmpty() && !required.contains(name)) {
                found.add(operation.id() + " " + place + name);
            }
            optionalInside(operation, member.getValue(), place + name + ".", found);
        });
    }

    @Test
    void fieldsInsideOfFieldsMayBeNullToo() throws IOException {
        Set<String> inside = new HashSet<>();
        for (ShippedContracts.Operation operation : ShippedContracts.operations()) {
            optionalInside(operation, operation.resolved(operation.node().path("requestBody")).at("/content/application~1json/schema"), "", inside);
        }
        assertThat(inside).as("optional fields inside of fields; a new one is to be played above").isEqualTo(INSIDE.keySet());
        for (String field : inside) {
            String operation = field.substring(0, field.indexOf(' '));
            String name = field.substring(field.lastIndexOf('.') + 1);
            Answer without = PermissionMatrixIT.play(operation).with(body -> INSIDE.get(field).apply(body, told -> {
                told.remove(name);
                return told;
            }));
            Answer withNull = PermissionMatrixIT.play(operation).with(body -> INSIDE.get(field).apply(body, told -> told.putNull(name)));
            assertThat(told(withNull)).as(field).isEqualTo(told(without)).doesNotStartWith("400");
        }
        assertThat(PermissionMatrixIT.play("createFiling").with(body -> body.put("fields", new JsonObject().putNull("nothing").putNull("claimAmount"))).status()).isEqualTo(200);
    }

    @Test
    void aRequiredFieldThatIsNullIsMissing() throws IOException {
        List<String> different = new ArrayList<>();
        Map<String, PermissionMatrixIT.Play> plays = new HashMap<>();
        for (Field field : fields(one -> one.required && !one.inForm && !one.takesNull())) {
            Answer answer = playOf(field, plays).with(body -> body.putNull(field.name));
            if (answer.status() != 400 || !PermissionMatrixIT.sentence(answer).equals(field.name + ": is required")) {
                different.add("%s: %s".formatted(field, told(answer)));
            }
        }
        assertThat(different).isEmpty();
    }

    /** An id that is in use somewhere, of the form that such ids have, and that names nothing. */
    private static String unknown(Field field) {
        return switch (field.name) {
            case "filingID", "entryID", "supersedes", "parentEntryID", "afterEntryID", "uploadID", "afterUploadID", "deliveryID" -> "999999999999";
            case "documentID", "ruleSet", "mailType", "phaseID", "partyID", "categoryID" -> "unknownName";
            default -> UUID.randomUUID().toString();
        };
    }

    /** A notice serves an entry or a hearing, and a hearing by a mail type of its own. */
    private static JsonObject alone(Field field, JsonObject body) {
        if (field.operation.equals("sendNotice") && field.name.equals("hearingID")) {
            body.remove("entryID");
            body.put("mailType", "hearingNotice");
        }
        return body;
    }

    @Test
    void anIdOfAnyOtherFormIsTheIdOfNothing() throws IOException {
        List<Field> ids = fields(field -> field.isId() && !field.schema.path("type").toString().contains("integer") && !BOUNDED_IDS.contains(field.toString()));
        assertThat(ids).hasSizeGreaterThan(90);
        List<String> different = new ArrayList<>();
        Map<String, PermissionMatrixIT.Play> plays = new HashMap<>();
        for (Field field : ids) {
            PermissionMatrixIT.Play play = playOf(field, plays);
            if (field.name.equals("deliveryID")) {
                // In place of what the table's request names.
                play.body().clear();
            }
            Answer expected = play.with(body -> alone(field, body).put(field.name, unknown(field)));
            // What is refused changes nothing, so several are asked at once; of files a caller may send few at once.
            Executor asking = field.inForm ? Runnable::run : ASKING;
            Map<String, CompletableFuture<Answer>> answers = new LinkedHashMap<>();
            NO_IDS.forEach(id -> answers.put(id, CompletableFuture.supplyAsync(() -> play.with(body -> alone(field, body).put(field.name, id)), asking)));
            for (String id : NO_IDS) {
                Answer answer = answers.get(id).join();
                boolean same = told(answer).equals(told(expected)) && (answer.status() >= 400 || answer.body().equals(expected.body()));
                if (!same) {
                    different.add("%s, %s: %s, an unknown one: %s".formatted(field, id.length() > 40 ? id.length() + " characters" : '"' + id + '"', told(answer), told(expected)));
                }
            }
            if (expected.status() == 400) {
                different.add("%s: an unknown one is %s".formatted(field, told(expected)));
            }
        }
        assertThat(different).isEmpty();
    }

    @Test
    void whatTheSpecificationBoundsIsBounded() throws IOException {
        for (String caseId : List.of("", "a".repeat(37))) {
            for (String operation : List.of("listEvidenceUploads", "createEvidenceUpload", "viewEvidenceUpload", "downloadEvidenceUpload")) {
                Answer answer = PermissionMatrixIT.play(operation).with(body -> body.put("caseID", caseId));
                assertThat(answer.status()).as(operation).isEqualTo(400);
                assertThat(answer.sentence()).startsWith("caseID: at ");
            }
        }
        assertThat(PermissionMatrixIT.play("createCase").with(body -> body.put("requestID", "a".repeat(37))).sentence()).isEqualTo("requestID: at most 36 characters");
    }

    @Test
    void unknownIdsOfProfilesAreLeftOutWhateverTheirForm() throws IOException {
        for (String operation : List.of("listUserProfiles", "listOrganizationProfiles")) {
            Answer answer = PermissionMatrixIT.play(operation).with(body -> {
                String name = body.fieldNames().iterator().next();
                JsonArray ids = body.getJsonArray(name);
                NO_IDS.forEach(ids::add);
                return body;
            });
            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        }
    }

    @Test
    void anIdLongerThanABodyMayBeIsRefusedAsABody() throws IOException {
        Answer answer = PermissionMatrixIT.play("viewCase").with(body -> body.put("caseID", "a".repeat(200_000)));
        assertThat(Optional.ofNullable(answer.header("Error-Code"))).contains("body.too-large");
    }
}
