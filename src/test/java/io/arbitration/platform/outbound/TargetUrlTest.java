package io.arbitration.platform.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TargetUrlTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            https://example.org                   | true  | example.org             | 443  | /
            https://example.org/hook?a=b&c=d      | true  | example.org             | 443  | /hook?a=b&c=d
            https://example.org?a=b               | true  | example.org             | 443  | /?a=b
            HTTPS://Example.ORG:8443/Hook         | true  | example.org             | 8443 | /Hook
            http://localhost:4000/hook            | false | localhost               | 4000 | /hook
            http://127.0.0.1:4000                 | false | 127.0.0.1               | 4000 | /
            https://[2606:4700::1111]:444/x       | true  | 2606:4700::1111         | 444  | /x
            https://xn--bcher-kva.example/        | true  | xn--bcher-kva.example   | 443  | /
            https://my_hook.example/              | true  | my_hook.example         | 443  | /
            https://example.org/a%20b/%2e%2e/c    | true  | example.org             | 443  | /a%20b/%2e%2e/c
            """)
    void anOrdinaryAddressIsTakenApart(String url, boolean secure, String host, int port, String pathAndQuery) {
        TargetUrl target = TargetUrl.parse(url);
        assertThat(target.secure()).isEqualTo(secure);
        assertThat(target.host()).isEqualTo(host);
        assertThat(target.port()).isEqualTo(port);
        assertThat(target.pathAndQuery()).isEqualTo(pathAndQuery);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''                                    | absolute https
            /hook                                 | absolute https
            example.org/hook                      | absolute https
            //example.org/hook                    | absolute https
            ftp://example.org/hook                | absolute https
            file:///etc/passwd                    | absolute https
            javascript:alert(1)                   | absolute https
            https:example.org                     | with a host
            https:///hook                         | absolute https
            https://:8443/hook                    | with a host
            https://user@example.org/             | user name or password
            https://user:secret@example.org/      | user name or password
            https://example.org@169.254.169.254/  | user name or password
            https://example.org/#here             | fragment
            https://example.org:0/                | port must be
            https://example.org:65536/            | port must be
            https://example.org:-1/               | port must be
            https://example.org:22/               | another protocol
            https://example.org:25/               | another protocol
            https://example.org:6379/             | another protocol
            https://example.org./                 | end in a dot
            https://127.0.0.1./                   | end in a dot
            https://2130706433/                   | four decimal numbers
            https://017700000001/                 | four decimal numbers
            https://0x7f000001/                   | four decimal numbers
            https://0x7f.0.0.1/                   | four decimal numbers
            https://0177.0.0.1/                   | four decimal numbers
            https://127.1/                        | four decimal numbers
            https://127.0.0.01/                   | four decimal numbers
            https://256.1.1.1/                    | four decimal numbers
            https://1.2.3.4.5/                    | four decimal numbers
            https://127.0.0.0x1/                  | four decimal numbers
            https://[::ffff:127.0.0.1]/           | IPv4 address in IPv6 form
            https://[::ffff:7f00:1]/              | IPv4 address in IPv6 form
            https://[fe80::1%25eth0]/             | brackets
            https://bücher.example/               | ASCII
            https://exa mple.org/                 | ASCII
            https://example。org/                 | ASCII
            https://ⓔxample.org/                  | ASCII
            https://exa%6dple.org/                | not a valid name
            https://-example.org/                 | not a valid name
            https://example-.org/                 | not a valid name
            https://exa..mple.org/                | not a valid name
            https://example.org/a\\b              | valid URL
            https://example.org/<x>               | valid URL
            """)
    void anythingElseIsRefusedWithASentenceThatSaysWhy(String url, String reason) {
        assertThatThrownBy(() -> TargetUrl.parse(url)).isInstanceOf(UnsafeUrl.class).hasMessageContaining(reason);
    }

    @Test
    void twoThousandCharactersAreTakenAndOneMoreIsNot() {
        String url = "https://example.org/" + "a".repeat(TargetUrl.LENGTH_MAX - "https://example.org/".length());
        assertThat(TargetUrl.parse(url).pathAndQuery()).hasSize(1981);
        assertThatThrownBy(() -> TargetUrl.parse(url + "a")).isInstanceOf(UnsafeUrl.class).hasMessage("at most 2000 characters");
    }

    @Test
    void controlCharactersCannotSmuggleAHeader() {
        assertThatThrownBy(() -> TargetUrl.parse("https://example.org/\r\nX: y")).isInstanceOf(UnsafeUrl.class);
        assertThatThrownBy(() -> TargetUrl.parse("https://example.org/\u0000")).isInstanceOf(UnsafeUrl.class);
    }
}
