package io.arbitration.platform.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.platform.answer.Refusal;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UrlEncodedFormTest {

    @Test
    void fieldsAreRead() {
        assertThat(UrlEncodedForm.parse(Buffer.buffer("a=1&b=x+y%20z&c=%C3%BC&d=&e"))).isEqualTo(
                new JsonObject().put("a", "1").put("b", "x y z").put("c", "ü").put("d", "").put("e", ""));
        assertThat(UrlEncodedForm.parse(Buffer.buffer())).isEqualTo(new JsonObject());
    }

    @ParameterizedTest
    @ValueSource(strings = {"a=1&a=2", "a=%", "a=%zz", "a=%00", "a=%FF", "%00=1"})
    void whatTwoReadersCouldReadInTwoWaysIsRefused(String form) {
        assertThatThrownBy(() -> UrlEncodedForm.parse(Buffer.buffer(form))).isInstanceOf(Refusal.class);
    }

    @Test
    void fieldsAreBounded() {
        assertThatThrownBy(() -> UrlEncodedForm.parse(Buffer.buffer("&".repeat(101)))).isInstanceOf(Refusal.class);
        assertThatThrownBy(() -> UrlEncodedForm.parse(Buffer.buffer(new byte[] {'a', '=', (byte) 0xC3}))).isInstanceOf(Refusal.class);
    }
}
