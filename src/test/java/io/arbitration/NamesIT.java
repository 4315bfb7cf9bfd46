package io.arbitration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.arbitration.RunningPlatform.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Names and titles that hide or turn characters are refused in every request that has one, and names of every script are accepted. */
class NamesIT {

    private static final Set<String> NAMES = Set.of("name", "title", "first_name", "last_name");
    /** The demo provider signs in under any name, of which the platform takes what can be shown; a push message is a message. */
    private static final Set<String> OTHERS = Set.of("createDemoIdToken first_name", "createDemoIdToken last_name", "sendWebPushToSubscription title");
    private static final Map<String, String> REFUSED = Map.of(
            "Cranes\u202eLtd", "must not contain U+202E, which changes the order of the characters behind it",
            "Cranes\u2067Ltd", "must end the change of direction that U+2067 begins",
            "Cranes\u200bLtd", "must not contain the invisible character U+200B",
            "Cranes\u2028Ltd", "must not contain control characters",
            "\u200f\u200e", "must not be blank");

    @BeforeEach
    void thereIsRoom() {
        PermissionMatrixIT.tidy();
    }

    @AfterAll
    static void othersFindRoom() {
        PermissionMatrixIT.tidy();
    }

    /** Of each request, by the names of its fields in the contracts. */
    static List<String> fields() {
        List<String> fields = new ArrayList<>();
        for (ShippedContracts.Operation operation : ShippedContracts.operations()) {
            JsonNode content = operation.resolved(operation.node().path("requestBody")).path("content");
            for (String type : List.of("application/json", "multipart/form-data")) {
                operation.resolved(content.path(type).path("schema")).path("properties").fieldNames().forEachRemaining(field -> {
                    if (NAMES.contains(field) && !OTHERS.contains(operation.id() + " " + field)) {
                        fields.add(operation.id() + " " + field);
                    }
                });
            }
        }
        return fields;
    }

    @Test
    void thereAreNamesOfEveryKind() {
        assertThat(fields()).contains("createOrganization name", "updateCurrentUser first_name", "updateCurrentUser last_name", "createMachineClient name", "createCase title",
                "createHearing title", "updateHearing title", "createCalendarFeed name", "createFiling title", "updateFiling title", "uploadFilingFile title", "updateFilingFile title");
    }

    @ParameterizedTest
    @MethodSource("fields")
    void aNameThatHidesOrTurnsIsRefusedByItsField(String field) throws Exception {
        String operation = field.substring(0, field.indexOf(' '));
        String name = field.substring(field.indexOf(' ') + 1);
        PermissionMatrixIT.Play play = PermissionMatrixIT.play(operation);
        REFUSED.forEach((text, problem) -> {
            Answer answer = play.with(body -> body.put(name, text));
            assertThat(answer.status()).as(answer.body()).isEqualTo(400);
            assertThat(answer.header("Error-Code")).isEqualTo("request.invalid");
            assertThat(PermissionMatrixIT.sentence(answer)).isEqualTo(name + ": " + problem);
        });
        Answer taken = play.with(body -> body.put(name, "شركة «می\u200cخواهم» v. \u2067חברת החשמל\u2069"));
        assertThat(taken.status()).as(taken.body()).isEqualTo(200);
    }
}
