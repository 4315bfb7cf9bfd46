package io.arbitration.platform.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;

/** What a contract has to say of an operation that is to go. {@code OrganizationsIT} sees the headers of one. */
class RetirementTest {

    private static JsonObject operation(boolean deprecated) {
        return new JsonObject().put("operationId", "leave").put("deprecated", deprecated);
    }

    @Test
    void anOperationThatStaysHasNone() {
        assertThat(Retirement.of(new JsonObject().put("operationId", "stay"))).isEmpty();
    }

    @Test
    void aDeprecatedOperationSaysSinceWhenAndUntilWhen() {
        assertThat(Retirement.of(operation(true).put("x-deprecated", "2027-01-01").put("x-sunset", "2028-01-01"))).isPresent();
        assertThatThrownBy(() -> Retirement.of(operation(true))).hasMessageContaining("operation leave: deprecated, x-deprecated and x-sunset go together");
        assertThatThrownBy(() -> Retirement.of(operation(true).put("x-deprecated", "2027-01-01"))).hasMessageContaining("go together");
        assertThatThrownBy(() -> Retirement.of(operation(false).put("x-sunset", "2028-01-01"))).hasMessageContaining("go together");
    }

    @Test
    void clientsHaveAYearToLeaveIt() {
        assertThatThrownBy(() -> Retirement.of(operation(true).put("x-deprecated", "2027-01-01").put("x-sunset", "2027-12-31")))
                .hasMessageContaining("less than 12 months after");
    }
}
