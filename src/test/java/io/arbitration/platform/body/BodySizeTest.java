package io.arbitration.platform.body;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;

class BodySizeTest {

    private static JsonObject text(int most) {
        return new JsonObject().put("type", "string").put("maxLength", most);
    }

    private static JsonObject object(String member, JsonObject schema) {
        return new JsonObject().put("type", "object").put("properties", new JsonObject().put(member, schema));
    }

    /** Python writes every character outside of ASCII as an escape; what the contract allows must fit however it is written. */
    @Test
    void theLongestTextFitsHoweverItIsWritten() {
        String escaped = "{\"name\":\"" + "\\ud83d\\ude00".repeat(100) + "\"}";
        assertThat(BodySize.most(object("name", text(100)))).isBetween((long) escaped.length(), 4000L);
    }

    @Test
    void whiteSpaceFitsToo() {
        String indented = "{\n" + " ".repeat(800) + "\"name\" : \"a\"\n}";
        assertThat(BodySize.most(object("name", text(1)))).isGreaterThan(indented.length());
    }

    @Test
    void arraysAndMapsCountTheirEntries() {
        JsonObject ids = new JsonObject().put("type", "array").put("maxItems", 1000).put("items", text(36));
        assertThat(BodySize.most(object("ids", ids))).isBetween(36_000L * 12, 36_000L * 12 * 2);
        JsonObject map = new JsonObject().put("type", "object").put("maxProperties", 10).put("propertyNames", new JsonObject().put("maxLength", 10))
                .put("additionalProperties", text(10));
        assertThat(BodySize.most(map)).isBetween(2_400L, 5_000L);
    }

    @Test
    void anAlternativeOfTypesTakesTheLargest() {
        JsonObject schema = text(1000).put("type", new JsonArray().add("string").add("null"));
        assertThat(BodySize.most(schema)).isGreaterThan(12_000);
    }

    @Test
    void anIdHasRoomToBeTooLong() {
        assertThat(BodySize.most(object("caseID", new JsonObject().put("type", "string")))).isBetween(65_536L, 100_000L);
    }

    @Test
    void aListOfDifferentValuesOfAnEnumerationIsBoundedByIt() {
        JsonObject kind = new JsonObject().put("type", "string").put("enum", new JsonArray().add("case").add("entry"));
        JsonObject kinds = new JsonObject().put("type", "array").put("items", kind);
        assertThat(BodySize.most(object("kinds", kinds.copy().put("uniqueItems", true)))).isLessThan(2000);
        assertThat(BodySize.most(object("kinds", kinds))).isEqualTo(BodySize.UNBOUNDED);
    }

    @Test
    void whatHasNoBoundIsUnbounded() {
        assertThat(BodySize.most(object("list", new JsonObject().put("type", "array").put("items", text(1))))).isEqualTo(BodySize.UNBOUNDED);
        assertThat(BodySize.most(new JsonObject().put("type", "object"))).isEqualTo(BodySize.UNBOUNDED);
        JsonObject huge = new JsonObject().put("type", "array").put("maxItems", Integer.MAX_VALUE).put("items",
                new JsonObject().put("type", "array").put("maxItems", Integer.MAX_VALUE).put("items", text(Integer.MAX_VALUE)));
        assertThat(BodySize.most(huge)).isEqualTo(BodySize.UNBOUNDED);
    }
}
