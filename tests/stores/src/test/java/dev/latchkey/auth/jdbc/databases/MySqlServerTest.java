package dev.latchkey.auth.jdbc.databases;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which servers count as MySQL. */
class MySqlServerTest {

    @ParameterizedTest
    @CsvSource({
        "/usr/sbin/mysqld  Ver 8.0.39-0ubuntu0.22.04.1 for Linux on x86_64 ((Ubuntu)), true",
        "/usr/sbin/mysqld  Ver 8.4.3 for Linux on x86_64 (MySQL Community Server - GPL), true",
        "/usr/sbin/mysqld  Ver 10.11.5-MariaDB for debian-linux-gnu on x86_64, false",
        "/usr/sbin/mysqld  Ver 5.7.44 for Linux on x86_64 (MySQL Community Server (GPL)), false",
        "mysqld: not found, false"
    })
    void versionOfMySql8_isTaken_andOthersAreNot(String version, boolean isTaken) {
        assertThat(MySqlServer.isMySql(version)).isEqualTo(isTaken);
    }

    @Test
    void programThatIsNotThere_isNoMySql() {
        assertThat(MySqlServer.isMySql(Path.of("no-such-program"))).isFalse();
        assertThat(Programs.find("no-such-program")).isEmpty();
        assertThat(Programs.find("sh")).isPresent();
    }
}
