package io.arbitration.ai;

import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Runs against the real model of {@code dev/local-model} when it is up; else is skipped, and says so. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RealModel.Condition.class)
public @interface RealModel {

    /** Where it is looked for. */
    String URL = System.getenv().getOrDefault("ACP_REAL_MODEL_URL",
            "http://127.0.0.1:%s/v1".formatted(System.getenv().getOrDefault("LOCAL_MODEL_PORT", "8189")));

    final class Condition implements ExecutionCondition {

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(1)).build()) {
                int status = client.send(HttpRequest.newBuilder(URI.create(URL + "/models")).timeout(Duration.ofSeconds(2)).GET().build(),
                        HttpResponse.BodyHandlers.discarding()).statusCode();
                return status == 200 ? ConditionEvaluationResult.enabled("a model answers at " + URL) : skipped("status " + status);
            } catch (IOException away) {
                return skipped(away.getClass().getSimpleName());
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return skipped("interrupted");
            }
        }

        private static ConditionEvaluationResult skipped(String why) {
            String reason = "no model answers at %s (%s); dev/local-model start serves one".formatted(URL, why);
            System.out.println("skipped: " + reason);
            return ConditionEvaluationResult.disabled(reason);
        }
    }
}
