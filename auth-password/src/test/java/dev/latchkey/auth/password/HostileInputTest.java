package dev.latchkey.auth.password;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.password.HashInfo.Standing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What anybody can send, and what a row can hold after somebody has written to the table: rows P1 to P5 and P9 of the catalogue. */
class HostileInputTest {

    private static final String PASSWORD = "correct horse";
    private static final String CJK_24 = "密".repeat(24);

    private static final PasswordEncoders ENCODERS = Cheap.encoders();

    static List<HashSpec> specs() {
        return PasswordEncodersTest.specs();
    }

    @Test
    void bcryptOfMoreThan72Bytes_isRefusedOnEncode_countingBytes() {
        assertThat(ENCODERS.matches(CJK_24, ENCODERS.encode(CJK_24))).isTrue();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ENCODERS.encode(CJK_24 + "x"))
                .withMessage("A password must have at most 72 bytes of UTF-8");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "密", "anything at all"})
    void passwordLongerThan72Bytes_neverMatchesABcryptHashWrittenHere(String suffix) {
        assertThat(ENCODERS.matches(CJK_24 + suffix, ENCODERS.encode(CJK_24))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{bcrypt}$2a$", "{bcrypt}$2y$", "$2a$", "$2b$", "$2y$"})
    void ownerOfALongPasswordThatAnotherSystemCut_isNotLockedOut(String prefix) {
        String cutElsewhere = ENCODERS.encode(CJK_24).replace("{bcrypt}$2b$", prefix);

        assertThat(ENCODERS.matches(CJK_24 + "密密", cutElsewhere)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("specs")
    void passwordsThatAreNotText_areRefusedOnEncode_andMatchNothing(HashSpec spec) {
        PasswordEncoders encoders = ENCODERS.withDefault(spec);
        String question = encoders.encode("?");

        for (String lone : List.of("\ud800", "\udfff", "a\ud83d", "\ude00\ud83d")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> encoders.encode(lone))
                    .withMessageContaining("lone surrogate");
            assertThat(encoders.matches(lone, question)).isFalse();
        }
        assertThat(encoders.matches("😀", encoders.encode("😀"))).isTrue();
    }

    @ParameterizedTest
    @MethodSource("specs")
    void zeroCharacters_neverMakeTwoPasswordsEqual(HashSpec spec) {
        PasswordEncoders encoders = ENCODERS.withDefault(spec);
        String stored = encoders.encode("a");

        for (String withNul : List.of("a\0", "a\0a", "\0", "a\0\0")) {
            assertThat(encoders.matches(withNul, stored)).isFalse();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> encoders.encode(withNul))
                    .withMessageContaining("U+0000");
        }
    }

    @Test
    void emptyAndMissing_areRefusedOnEncode_andMatchNothing() {
        String stored = ENCODERS.encode(PASSWORD);

        assertThatIllegalArgumentException().isThrownBy(() -> ENCODERS.encode(""));
        assertThatIllegalArgumentException().isThrownBy(() -> ENCODERS.encode(null));
        assertThat(ENCODERS.matches("", stored)).isFalse();
        assertThat(ENCODERS.matches(null, stored)).isFalse();
        assertThat(ENCODERS.matches(PASSWORD, null)).isFalse();
        assertThat(ENCODERS.matches(null, null)).isFalse();
        assertThat(ENCODERS.matchesNobody(PASSWORD)).isFalse();
        assertThat(ENCODERS.identify(null).standing()).isEqualTo(Standing.UNKNOWN);
        assertThat(ENCODERS.upgradeEncoding(null)).isFalse();
    }

    @Test
    void limitIsInBytes_andBothSidesOfItHold() {
        PasswordEncoders encoders = ENCODERS.withDefault(Cheap.pbkdf2()).withMaxPasswordBytes(64);
        String stored = encoders.encode("é".repeat(32));

        assertThat(encoders.matches("é".repeat(32), stored)).isTrue();
        assertThatIllegalArgumentException().isThrownBy(() -> encoders.encode("é".repeat(32) + "e"));
        assertThat(ENCODERS.withMaxPasswordBytes(65).matches("é".repeat(32) + "e", stored))
                .isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> ENCODERS.withMaxPasswordBytes(63));
        assertThatIllegalArgumentException().isThrownBy(() -> ENCODERS.withMaxPasswordBytes(4097));
    }

    /** Reads nothing of itself: whoever looks at its characters has started to work on it. */
    @Test
    void passwordOfGigabytes_isRefusedByItsLengthAlone() {
        CharSequence huge = new CharSequence() {
            @Override
            public int length() {
                return Integer.MAX_VALUE;
            }

            @Override
            public char charAt(int index) {
                throw new AssertionError("looked at");
            }

            @Override
            public CharSequence subSequence(int start, int end) {
                throw new AssertionError("looked at");
            }
        };

        assertThat(ENCODERS.matches(huge, ENCODERS.encode(PASSWORD))).isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> ENCODERS.encode(huge));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "$argon2id$v=19$m=4194304,t=1,p=1$c29tZXNhbHRvZm1pbmU$HYyjA/1qx0SIPn8sXjNgPXwG6aBREEnvt2G7lNYK0g4",
                "$argon2id$v=19$m=4294967295,t=4294967295,p=1$c29tZXNhbHRvZm1pbmU$HYyjA/1qx0SIPn8sXjNgPXwG6aBREEnvt2G7lNYK0g4",
                "$argon2id$v=19$m=64,t=2147483647,p=1$c29tZXNhbHRvZm1pbmU$HYyjA/1qx0SIPn8sXjNgPXwG6aBREEnvt2G7lNYK0g4",
                "$argon2id$v=19$m=65536,t=1,p=4096$c29tZXNhbHRvZm1pbmU$HYyjA/1qx0SIPn8sXjNgPXwG6aBREEnvt2G7lNYK0g4",
                "$scrypt$ln=30,r=8,p=1$JETo3bv3fm8tRahV6n3vXQ$MXOCntFDvwGSRTa9rVRURUnxRB8ahBR2l9izRwCLgdw",
                "$scrypt$ln=8,r=8,p=2147483647$JETo3bv3fm8tRahV6n3vXQ$MXOCntFDvwGSRTa9rVRURUnxRB8ahBR2l9izRwCLgdw",
                "{scrypt}$1f0801$JETo3bv3fm8tRahV6n3vXQ==$MXOCntFDvwGSRTa9rVRURUnxRB8ahBR2l9izRwCLgdw=",
                "{scrypt}$ffffffffffffffff$JETo3bv3fm8tRahV6n3vXQ==$MXOCntFDvwGSRTa9rVRURUnxRB8ahBR2l9izRwCLgdw=",
                "scrypt$1073741824$salt$8$1$MXOCntFDvwGSRTa9rVRURUnxRB8ahBR2l9izRwCLgdw=",
                "{bcrypt}$2b$31$upoTN/OJHHG1Y0CAVf6E.OyA7wTGkQfmz1XB6hZ1nqbTe150BeHOS",
                "$2a$17$upoTN/OJHHG1Y0CAVf6E.OyA7wTGkQfmz1XB6hZ1nqbTe150BeHOS",
                "$pbkdf2-sha256$i=2147483647$j1HqfU8JgbDWOqd0jtEaAw$cvexMODerGPKAyvFjhmplNUiSHZtVk8RJSCWL909YnE",
                "pbkdf2_sha256$99999999999$salt$rhHeEpTNILc7CVyetGLHmFpP2R4Bh7nJhz10CVkmNxk=",
                "$5$rounds=999999999$QGCcli4DYbt3TtHu$s5H09ZrpoJpZJyEVPhHE9jBWxRjzoZGA2TzuEkJDJX2",
                "$6$rounds=1000001$0nV7kTUvQ8eD3fz/$/njMJabzRyEhkB8mt.057DNfZi37.vkoeX3woWGyqy5X8qz8j2ttuMXy9ru2oDPuAy3Xr/YVlbxHD5mLadGxP/",
                "$P$S6c54JmwqnEjXQu87MTuZRIBt8FPbj.",
                "{CRYPT}$5$rounds=999999999$QGCcli4DYbt3TtHu$s5H09ZrpoJpZJyEVPhHE9jBWxRjzoZGA2TzuEkJDJX2"
            })
    void rowThatAsksForTooMuch_isRefusedWithItsAlgorithmNamed(String row) {
        HashInfo info = ENCODERS.identify(row);

        assertThat(info.standing()).isEqualTo(Standing.REFUSED);
        assertThat(info.reason()).startsWith("beyond the ceiling: " + info.algorithm());
        assertThat(ENCODERS.matches(PASSWORD, row)).isFalse();
        assertThat(ENCODERS.upgradeEncoding(row)).isFalse();
    }

    @Test
    void rowThatAsksForMoreThanThePermits_isRefused() {
        String row = "$argon2id$v=19$m=2048,t=1,p=1$c29tZXNhbHRvZm1pbmU$HYyjA/1qx0SIPn8sXjNgPXwG6aBREEnvt2G7lNYK0g4";
        PasswordEncoders small = ENCODERS.withMemoryPermits(MemoryPermits.ofBytes(2047 * 1024));

        assertThat(ENCODERS.identify(row).standing()).isEqualTo(Standing.UPGRADE);
        assertThat(small.identify(row).standing()).isEqualTo(Standing.REFUSED);
        assertThat(small.matches(PASSWORD, row)).isFalse();
    }

    @Test
    void mutatedRowsAndNoise_matchNothing_andNeverThrow() {
        Random random = new Random(20261121);
        List<String> rows = new ArrayList<>(RealToolHashesTest.hashes().stream()
                .filter(made -> made.password().equals("a"))
                .map(RealToolHashesTest.MadeHash::hash)
                .toList());
        for (HashSpec spec : specs()) {
            rows.add(ENCODERS.withDefault(spec).encode("a"));
        }
        for (int i = 0; i < 4000; i++) {
            String row = mutated(rows.get(random.nextInt(rows.size())), random);
            // Parsing alone for most: a mutated cost may legitimately be a dear one.
            assertThatCode(() -> ENCODERS.identify(row)).as(row).doesNotThrowAnyException();
            assertThat(ENCODERS.identify(row).toString()).doesNotContain(row.length() > 20 ? row : "never");
        }
    }

    private static String mutated(String row, Random random) {
        StringBuilder text = new StringBuilder(row);
        for (int i = 0; i <= random.nextInt(3); i++) {
            int at = random.nextInt(text.length());
            switch (random.nextInt(5)) {
                case 0 -> text.setLength(Math.max(at, 1));
                case 1 -> text.setCharAt(at, (char) random.nextInt(0x10000));
                case 2 -> text.deleteCharAt(at).append('$');
                case 3 -> text.insert(at, "$9999999999999999999999$");
                default -> text.insert(at, "{}");
            }
        }
        return text.toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "}",
                "{}",
                "{bcrypt}",
                "{bcrypt",
                "$",
                "$$",
                "$2",
                "$2a$",
                "$2a$10$",
                "$2b$99$x",
                "$argon2",
                "$argon2id$",
                "{ldap}",
                "{ldap}{ldap}{ldap}{SSHA}",
                "{SSHA}",
                "{SSHA}!!!!",
                "{MD5}",
                "*",
                "*12",
                "$1$",
                "$6$",
                "$5$$",
                "$P$",
                "sha1$",
                "scrypt$",
                "pbkdf2_sha256$",
                "bcrypt_sha256$",
                "argon2$",
                "{pepper@",
                "{pepper@}",
                "{pepper@x}",
                "{noop}a",
                "a",
                "\ud800",
                "{\ud800}x",
                "$5$rounds=$a$b",
                "{CRYPT}abcdefghijklm",
                "{CRYPT}"
            })
    void damagedRow_matchesNothing_andNeverThrows(String row) {
        assertThat(ENCODERS.matches("a", row)).isFalse();
        assertThat(ENCODERS.identify(row).standing()).isIn(Standing.REFUSED, Standing.UNKNOWN);
    }

    @Test
    void veryLongRow_isNotParsed() {
        String nested = "{ldap}".repeat(1 << 20);

        assertThat(ENCODERS.matches(PASSWORD, nested)).isFalse();
        assertThat(ENCODERS.identify("$2a$10$" + "x".repeat(1 << 22)).standing())
                .isEqualTo(Standing.UNKNOWN);
    }

    /** All memory is taken, so whoever reaches the hash is told so: that is how this test sees that the work is done. */
    @Test
    void unknownUserWrongLongAndMalformed_allDoTheWorkOfTheCurrentEncoder() {
        MemoryPermits permits = MemoryPermits.ofBytes(64 * 1024).withMaxWait(Duration.ZERO);
        PasswordEncoders encoders = ENCODERS.withDefault(Cheap.argon2id()).withMemoryPermits(permits);
        String stored = encoders.encode(PASSWORD);
        String malformed = stored.substring(0, stored.length() - 9) + "!";

        permits.whileHolding(64 * 1024, () -> {
            assertOverload(() -> encoders.matches(PASSWORD, stored));
            assertOverload(() -> encoders.matches("wrong", stored));
            assertOverload(() -> encoders.matchesNobody(PASSWORD));
            assertOverload(() -> encoders.matches("x".repeat(5000), stored));
            assertOverload(() -> encoders.matches("\ud800", stored));
            assertOverload(() -> encoders.matches("", stored));
            assertOverload(() -> encoders.matches(PASSWORD, malformed));
            assertOverload(() -> encoders.matches("x".repeat(5000), malformed));
            assertOverload(() -> encoders.matches(PASSWORD, "{noop}" + PASSWORD));
            return null;
        });
        assertThat(encoders.matches(PASSWORD, stored)).isTrue();
    }

    private static void assertOverload(Runnable check) {
        assertThatThrownBy(check::run)
                .isInstanceOfSatisfying(
                        AuthUnavailableException.class,
                        e -> assertThat(e.kind()).isEqualTo(AuthUnavailableException.Kind.OVERLOAD));
    }

    @Test
    void noMessageOrDescription_holdsThePasswordOrTheHash() {
        String secret = "hunter2-hunter2-\ud800";
        String stored = ENCODERS.encode(PASSWORD);

        assertThatThrownBy(() -> ENCODERS.encode(secret)).hasMessageNotContaining("hunter2");
        assertThat(ENCODERS.identify(stored).toString()).doesNotContain(stored.substring(15));
        assertThat(ENCODERS.identify("{noop}hunter2").toString()).doesNotContain("hunter2");
    }
}
