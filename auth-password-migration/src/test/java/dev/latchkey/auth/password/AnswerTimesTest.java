package dev.latchkey.auth.password;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.latchkey.auth.password.hash.NotedWork;
import dev.latchkey.auth.password.hash.Parameters;
import dev.latchkey.auth.password.hash.ParsedHash;
import dev.latchkey.auth.password.hash.Pbkdf2Format;
import dev.latchkey.auth.password.hash.Scheme;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The time of a wrong password for a row of each tool, and so the rest of the time of a new hash: time of a round, times
 * rounds, times blocks. The numbers are from the settings of the tools, by hand.
 */
class AnswerTimesTest {

    /** Nanoseconds before a colon, then the tools. */
    private static final String TABLE = """
            1000: htpasswd -s, slappasswd SSHA, slappasswd SMD5, slappasswd SHA, slappasswd SSHA256, slappasswd SSHA512
            1000: passlib mysql41, passlib ldap_salted_sha1, passlib ldap_salted_sha256, passlib ldap_salted_sha512
            1000: passlib ldap_salted_md5, passlib ldap_sha1, passlib mssql2005, passlib oracle11
            200000: htpasswd -m, openssl passwd -1, openssl passwd -apr1, mkpasswd md5, passlib md5_crypt, passlib apr_md5_crypt
            100 * 256: passlib phpass
            100 * 512: passlib phpass H
            200 * 512: drupal
            221 * 1024: drupal U
            115 * 5000: htpasswd -2, openssl passwd -5
            115 * 1234: mkpasswd sha-256
            115 * 1777: passlib sha256_crypt
            115 * 1000: passlib ldap_sha256_crypt
            200 * 5000: openssl passwd -6, slappasswd CRYPT, passlib sha512_crypt
            200 * 1001: mkpasswd sha-512
            200 * 1500: php crypt sha512
            290 * 1000: passlib sha1_crypt
            65 * 500: passlib fshp sha1
            80 * 500: passlib fshp sha256
            200 * 500: passlib fshp sha384, passlib fshp sha512
            49000 * 32: htpasswd -B, mkpasswd bcrypt, mkpasswd bcrypt-a, php bcrypt, passlib bcrypt, passlib ldap_bcrypt
            49000 * 32: django bcrypt, django bcrypt_sha256, passlib bcrypt_sha256 1, passlib bcrypt_sha256 2, wordpress
            530 * 512: argon2 -id
            530 * 384: argon2 -i
            530 * 64: argon2 -d
            530 * 128: argon2 -i -v 10
            530 * 512: passlib argon2
            530 * 1024: django argon2
            530 * 256: keycloak argon2
            240 * 4096: django scrypt
            240 * 2048: passlib scrypt, werkzeug scrypt, firebase fbscrypt, firebase firescrypt
            130 * 2000: django pbkdf2_sha1
            130 * 1500: passlib pbkdf2_sha1
            130 * 1000: passlib ldap_pbkdf2_sha1, passlib cta_pbkdf2_sha1, werkzeug pbkdf2 sha1
            130 * 1000 * 2: passlib dlitz_pbkdf2_sha1, aspnet v2, aspnet v3 sha1
            130 * 400 * 2: passlib dlitz_pbkdf2_sha1 400
            130 * 10000 * 2: passlib atlassian_pbkdf2_sha1
            130 * 1000 * 4: keycloak pbkdf2
            130 * 4096: scramp SCRAM-SHA-1
            135 * 2000: django pbkdf2_sha256
            135 * 1500: passlib pbkdf2_sha256
            135 * 1000: passlib ldap_pbkdf2_sha256, werkzeug pbkdf2 sha256, aspnet v3 sha256
            135 * 1000 * 2: keycloak pbkdf2-sha256
            135 * 4096: scramp SCRAM-SHA-256, postgresql
            340 * 1500: passlib pbkdf2_sha512
            340 * 1000: passlib ldap_pbkdf2_sha512, passlib grub_pbkdf2_sha512, grub-mkpasswd-pbkdf2, werkzeug pbkdf2 sha512
            340 * 1000: aspnet v3 sha512, keycloak pbkdf2-sha512
            340 * 4096: scramp SCRAM-SHA-512
            """;

    /** They hash the password in each round. */
    private static final Set<String> GROWING =
            Set.of("md5-crypt", "apr1", "sha256-crypt", "sha512-crypt", "phpass", "drupal7");

    private static final double NANOS_OF_A_NEW_HASH = 135.0 * 100_000;

    record Row(String tool, double nanos, RealToolHashesTest.MadeHash made) {
        ParsedHash.Checkable read() {
            return (ParsedHash.Checkable) Foreign.read(made.hash());
        }

        @Override
        public String toString() {
            return tool;
        }
    }

    private static Map<String, Double> table() {
        Map<String, Double> nanos = new LinkedHashMap<>();
        TABLE.lines().forEach(line -> {
            String[] fields = line.split(": ", -1);
            double product = Stream.of(fields[0].split(" \\* ", -1))
                    .mapToDouble(Double::parseDouble)
                    .reduce(1, (a, b) -> a * b);
            Stream.of(fields[1].split(", ", -1)).forEach(tool -> nanos.put(tool, product));
        });
        return nanos;
    }

    private static Map<String, RealToolHashesTest.MadeHash> madeByTool() {
        Map<String, RealToolHashesTest.MadeHash> byTool = new TreeMap<>();
        RealToolHashesTest.hashes().forEach(made -> byTool.putIfAbsent(made.tool(), made));
        return byTool;
    }

    static Stream<Row> rows() {
        Map<String, Double> table = table();
        return madeByTool().values().stream()
                .filter(made -> table.containsKey(made.tool()))
                .map(made -> new Row(made.tool(), table.get(made.tool()), made));
    }

    @Test
    void tableHasEveryTool() {
        assertThat(table().keySet())
                .containsExactlyInAnyOrderElementsOf(madeByTool().keySet());
    }

    @ParameterizedTest
    @MethodSource("rows")
    void timeOfACheck_isThatOfTheTable(Row row) {
        assertThat(row.read().nanos(16)).isCloseTo(row.nanos, withinPercentage(0.5));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void lengthOfThePassword_countsWhereEachRoundHashesIt(Row row) {
        double factor = row.read().nanos(1000) / row.read().nanos(16);

        if (GROWING.contains(row.made.algorithm())) {
            assertThat(factor).isGreaterThan(5);
        } else {
            assertThat(factor).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @MethodSource("rows")
    void wrongPassword_doesTheRestOfTheWorkOfANewHash(Row row) {
        for (int length : new int[] {16, 1000}) {
            double share = row.read().nanos(length) / NANOS_OF_A_NEW_HASH;

            assertThat(restAfter("x".repeat(length), row)).isCloseTo(share < 1 / 32.0 ? 1 : 1 - share, within(0.001));
        }
    }

    private static double restAfter(String password, Row row) {
        List<Double> shares = new ArrayList<>();
        Parameters parameters = Pbkdf2Format.Prf.SHA256.parameters(100_000);
        Scheme scheme = NotedWork.of(parameters, shares::add);
        PasswordEncoders encoders = Foreign.encoders().withDefault(HashSpec.unchecked(parameters, permits -> scheme));

        assertThat(encoders.matches(password, row.made.hash())).isFalse();
        return shares.stream().mapToDouble(Double::doubleValue).sum();
    }
}
