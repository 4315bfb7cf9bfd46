package io.arbitration.platform.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.platform.config.ConfigurationError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatabaseUrlTest {

    @Test
    void everyPartIsRead() {
        assertThat(DatabaseUrl.parse("postgresql://ada:p%40ss%2F%3A%23+1@db.example:6432/cases?sslmode=verify-full&sslrootcert=/etc/ca.pem"))
                .isEqualTo(new DatabaseUrl("db.example", 6432, "cases", "ada", "p@ss/:#+1", "verify-full", "/etc/ca.pem"));
    }

    @Test
    void whatIsLeftOutHasADefault() {
        assertThat(DatabaseUrl.parse("postgres://ada@db/cases")).isEqualTo(new DatabaseUrl("db", 5432, "cases", "ada", "", "prefer", ""));
    }

    @Test
    void hostsOfEveryKindAreTaken() {
        assertThat(DatabaseUrl.parse("postgresql://a@my_database:5433/c").host()).isEqualTo("my_database");
        assertThat(DatabaseUrl.parse("postgresql://a@[::1]:5433/c").host()).isEqualTo("::1");
        assertThat(DatabaseUrl.parse("postgresql://a@[::1]:5433/c").jdbcUrl()).startsWith("jdbc:postgresql://[::1]:5433/c?");
    }

    @Test
    void theTextFormLeavesThePasswordOut() {
        assertThat(DatabaseUrl.parse("postgresql://ada:secret@db/cases").toString()).isEqualTo("postgresql://ada@db:5432/cases?sslmode=prefer");
    }

    /** With neither, the JDBC driver would look for a file in the home folder that the other driver knows nothing of. */
    @Test
    void withoutACertificateOfItsOwnBothDriversTrustWhatTheMachineTrusts() {
        assertThat(DatabaseUrl.parse("postgresql://a@db/c?sslmode=verify-full").jdbcUrl()).contains("sslfactory=org.postgresql.ssl.DefaultJavaSSLFactory");
        assertThat(DatabaseUrl.parse("postgresql://a@db/c?sslmode=verify-full&sslrootcert=/ca.pem").jdbcUrl())
                .contains("sslrootcert=%2Fca.pem").doesNotContain("sslfactory");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "mysql://a:secret@db/c | must look like postgresql://user:password@host:port/database",
        "db.example:5432/c | must look like postgresql://user:password@host:port/database",
        "postgresql://a:secret@db | must look like postgresql://user:password@host:port/database",
        "postgresql://a:secret@db:/c | must look like postgresql://user:password@host:port/database",
        "postgresql://a:secret@db:99999/c | port 99999 is out of bounds: from 1 to 65535",
        "postgresql://db/c | a user is missing",
        "postgresql://:secret@db/c | a user is missing",
        "postgresql://a:sec ret@db/c | not a URL; characters like @ / # in the password need percent-encoding",
        "postgresql://a:sec%zzret@db/c | not a URL; characters like @ / # in the password need percent-encoding",
        "postgresql://a:secret@db/c?sslmode=maybe | sslmode maybe is not one of [disable, prefer, require, verify-ca, verify-full]",
        "postgresql://a:secret@db/c?password=secret | unknown parameter password, known are [sslmode, sslrootcert]",
    })
    void aBrokenUrlIsNamedWithoutItsPassword(String url, String problem) {
        assertThatThrownBy(() -> DatabaseUrl.parse(url)).isInstanceOf(ConfigurationError.class)
                .hasMessage("database.url: " + problem)
                .satisfies(error -> assertThat(error.toString().replace("user:password", "")).doesNotContain("secret"));
    }
}
