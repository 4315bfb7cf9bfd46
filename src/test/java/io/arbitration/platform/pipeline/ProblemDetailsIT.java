package io.arbitration.platform.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.vertx.core.json.JsonObject;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Errors in the form that a client asks for: a JSON string, plain text below push, or problem details (RFC 9457). */
class ProblemDetailsIT {

    private static final RunningPlatform PLATFORM = RunningPlatform.shared();
    private static final String PROBLEM = "application/problem+json";

    private static String someone() {
        return PLATFORM.signIn("problem-" + UUID.randomUUID() + "@example.org", "Paul", "Problem").token();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /cases/cases/view                                  | {"caseID":"x"}             | 404 | Not Found          | case.not-found       | case not found                              |
            /cases/cases/view                                  | {}                         | 400 | Bad Request        | request.invalid      | caseID: is required                         | caseID
            /cases/cases/create                                | {"title":"","ruleSet":"x"} | 400 | Bad Request        | request.invalid      | title: at least 1 character                 | title
            /cases/cases/view                                  | {                          | 400 | Bad Request        | request.invalid      | body: not JSON at line 1, column 2          |
            /nowhere                                           | {}                         | 404 | Not Found          | path.unknown         | path not found                              |
            /api/nowhere                                       | {}                         | 404 | Not Found          | path.unknown         | path not found                              |
            /push/nowhere                                      | {}                         | 404 | Not Found          | path.unknown         | path not found                              |
            /push/internal/send-web-push-to-subscription       | {"subscriptionID":"x"}     | 403 | Forbidden          | permission.required  | permission required: push.notifications.creator |
            /push/web-push/unsubscribe                         | {"subscriptionID":"x"}     | 404 | Not Found          | subscription.not-found | Subscription not found                    |
            /auth/oauth/token                                  | {}                         | 415 | Unsupported Media Type | content-type.unsupported | The content type must be application/x-www-form-urlencoded. |
            """)
    void whoAsksForProblemDetailsGetsThem(String path, String body, int status, String title, String code, String detail, String field) {
        Answer answer = PLATFORM.post(path, body, someone(), "Accept", PROBLEM);
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.header("Content-Type")).isEqualTo(PROBLEM);
        JsonObject expected = new JsonObject().put("type", "/docs/errors#" + code).put("title", title).put("status", status)
                .put("detail", detail).put("code", code);
        if (field != null) {
            expected.put("field", field);
        }
        assertThat(answer.object()).isEqualTo(expected.put("requestID", answer.header("X-Request-Id")));
        assertThat(answer.header("Error-Code")).isEqualTo(code);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            */*                                                        | application/json
            application/json                                           | application/json
            application/pdf, application/json, application/problem+json | application/json
            application/problem+json;q=0.5, application/json           | application/json
            application/problem+json;q=0                               | application/json
            application/problem+json, application/json;q=0.9           | application/problem+json
            application/problem+json; charset=utf-8, */*               | application/problem+json
            APPLICATION/PROBLEM+JSON                                   | application/problem+json
            application/problem+json;q=nonsense                        | application/problem+json
            """)
    void whoDoesNotPreferThemGetsASentence(String accept, String contentType) {
        Answer answer = PLATFORM.post("/cases/cases/view", "{}", someone(), "Accept", accept);
        assertThat(answer.header("Content-Type")).isEqualTo(contentType);
        assertThat(answer.status()).isEqualTo(400);
    }

    @Test
    void withoutATokenTheyComeToo() {
        Answer answer = PLATFORM.post("/push/web-push/list", "{}", null, "Accept", PROBLEM);
        assertThat(answer.object().getString("code")).isEqualTo("token.invalid");
        assertThat(answer.header("WWW-Authenticate")).startsWith("Bearer");
    }

    @Test
    void belowPushUnknownPathsAndWrongMethodsAreToldAsText() {
        for (Answer answer : new Answer[] {PLATFORM.post("/push/nowhere", "{}", someone()), PLATFORM.get("/push/web-push/list"), PLATFORM.get("/push/no/where")}) {
            assertThat(answer.header("Content-Type")).isEqualTo("text/plain; charset=utf-8");
            assertThat(answer.body()).isIn("path not found", "method not allowed");
        }
        assertThat(PLATFORM.get("/push/web-push/list").status()).isEqualTo(405);
        assertThat(PLATFORM.get("/cases/nowhere").sentence()).as("elsewhere as JSON").isEqualTo("path not found");
    }
}
