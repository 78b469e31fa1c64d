package dev.latchkey.auth.password;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.latchkey.auth.password.HashInfo.Standing;
import dev.latchkey.auth.password.hash.MemoryPermits;
import dev.latchkey.auth.password.migration.ForeignFormats;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows after writes by an attacker, or after a cut by a tool. */
class HostileRowTest {

    private static final String PASSWORD = "correct horse";

    private static final PasswordEncoders ENCODERS = Foreign.encoders();

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
                "scrypt$1073741824$salt$8$1$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
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

    /** Both sides of each ceiling. The ceilings ignore the memory of this JVM. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "$argon2id$v=19$m=1048576,t=4,p=1$c29tZXNhbHRvZm1pbmU$ | 43 | $argon2id$v=19$m=1048577,t=1,p=1$c29tZXNhbHRvZm1pbmU$",
                "$argon2id$v=19$m=65536,t=64,p=1$c29tZXNhbHRvZm1pbmU$ | 43 | $argon2id$v=19$m=65536,t=65,p=1$c29tZXNhbHRvZm1pbmU$",
                "$argon2id$v=19$m=65536,t=1,p=64$c29tZXNhbHRvZm1pbmU$ | 43 | $argon2id$v=19$m=65536,t=1,p=65$c29tZXNhbHRvZm1pbmU$",
                "$scrypt$ln=18,r=8,p=1$c2FsdHNhbHQ$ | 43 | $scrypt$ln=18,r=9,p=1$c2FsdHNhbHQ$",
                "$scrypt$ln=14,r=8,p=64$c2FsdHNhbHQ$ | 43 | $scrypt$ln=14,r=8,p=65$c2FsdHNhbHQ$",
                "$scrypt$ln=1,r=1,p=2097151$c2FsdHNhbHQ$ | 43 | $scrypt$ln=1,r=1,p=2097152$c2FsdHNhbHQ$",
                "$scrypt$ln=2,r=8,p=262143$c2FsdHNhbHQ$ | 43 | $scrypt$ln=2,r=8,p=262144$c2FsdHNhbHQ$",
                "$2b$16$ | 53 | $2b$17$",
                "$pbkdf2-sha256$i=10000000$c2FsdHNhbHQ$ | 43 | $pbkdf2-sha256$i=10000001$c2FsdHNhbHQ$",
                "$5$rounds=1000000$salt$ | 43 | $5$rounds=1000001$salt$",
                "$6$rounds=1000000$salt$ | 86 | $6$rounds=1000001$salt$",
                "$P$I | 30 | $P$J"
            })
    void rowAtACeiling_isRead_andTheNextOneIsRefused(String at, int hashCharacters, String beyond) {
        PasswordEncoders encoders =
                PasswordEncoders.identifyingOnly(HashSpec.of("bcrypt")).reading(ForeignFormats.all());
        String hash = "A".repeat(hashCharacters);

        assertThat(encoders.identify(at + hash).standing()).isIn(Standing.CURRENT, Standing.UPGRADE);
        assertThat(encoders.identify(beyond + hash).reason()).startsWith("beyond the ceiling: ");
    }

    /** Bouncy Castle takes a p of at most 2^31 / (1024 r), and throws otherwise. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "$scrypt$ln=1,r=1,p=4194304$c2FsdHNhbHQ$",
                "$scrypt$ln=1,r=2,p=1048576$c2FsdHNhbHQ$",
                "$scrypt$ln=2,r=1,p=2097152$c2FsdHNhbHQ$",
                "$scrypt$ln=1,r=1048576,p=2$c2FsdHNhbHQ$"
            })
    void scryptRowWithMoreLanesThanItsBlocksAllow_isRefused(String start) {
        PasswordEncoders plenty = withPermits(2_000_000);

        assertThat(plenty.identify(start + "A".repeat(43)).standing()).isEqualTo(Standing.REFUSED);
        assertThat(plenty.matches(PASSWORD, start + "A".repeat(43))).isFalse();
    }

    @Test
    void rowThatAsksForMoreThanThePermits_isRefused() {
        String row = "$argon2id$v=19$m=2048,t=1,p=1$c29tZXNhbHRvZm1pbmU$HYyjA/1qx0SIPn8sXjNgPXwG6aBREEnvt2G7lNYK0g4";
        PasswordEncoders small = withPermits(2047);

        assertThat(ENCODERS.identify(row).standing()).isEqualTo(Standing.UPGRADE);
        assertThat(small.identify(row).standing()).isEqualTo(Standing.REFUSED);
        assertThat(small.matches(PASSWORD, row)).isFalse();
        assertThat(withPermits(2048).identify(row).standing()).isEqualTo(Standing.UPGRADE);
    }

    /** One MiB of table and one KiB of blocks. */
    @Test
    void scryptRowThatAsksForMoreThanThePermits_isRefused() {
        String row = "$scrypt$ln=10,r=8,p=1$c2FsdHNhbHQ$" + "A".repeat(43);

        assertThat(withPermits(1025).identify(row).standing()).isEqualTo(Standing.UPGRADE);
        assertThat(withPermits(1024).identify(row).standing()).isEqualTo(Standing.REFUSED);
    }

    private static PasswordEncoders withPermits(int kibibytes) {
        return ENCODERS.withMemoryPermits(MemoryPermits.ofBytes(kibibytes * 1024L));
    }

    @Test
    void mutatedRowsAndNoise_matchNothing_andNeverThrow() {
        Random random = new Random(20261121);
        List<String> rows = CutHashTest.hashesOfTheLetterA();
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
}
