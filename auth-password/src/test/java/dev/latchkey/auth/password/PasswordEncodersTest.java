package dev.latchkey.auth.password;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.password.HashInfo.Standing;
import dev.latchkey.auth.password.hash.BcryptFormat;
import dev.latchkey.auth.password.hash.Parameters;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class PasswordEncodersTest {

    private static final String PASSWORD = "correct horse";

    private static final PasswordEncoders ENCODERS = Cheap.encoders();

    static List<HashSpec> specs() {
        return List.of(Cheap.bcrypt(), Cheap.pbkdf2(), Cheap.argon2id(), Cheap.scrypt());
    }

    @ParameterizedTest
    @MethodSource("specs")
    void newHash_matchesItsPasswordOnly_andIsCurrent(HashSpec spec) {
        PasswordEncoders encoders = ENCODERS.withDefault(spec);
        String stored = encoders.encode(PASSWORD);

        assertThat(encoders.matches(PASSWORD, stored)).isTrue();
        assertThat(encoders.matches(PASSWORD + " ", stored)).isFalse();
        assertThat(encoders.identify(stored).standing()).isEqualTo(Standing.CURRENT);
        assertThat(encoders.upgradeEncoding(stored)).isFalse();
        assertThat(encoders.encode(PASSWORD)).isNotEqualTo(stored);
    }

    @ParameterizedTest
    @MethodSource("specs")
    void hashOfAnotherAlgorithm_matches_andIsToBeUpgraded(HashSpec spec) {
        PasswordEncoders later = ENCODERS.withDefault(HashSpec.of("pbkdf2-sha512"));
        String stored = ENCODERS.withDefault(spec).encode(PASSWORD);

        assertThat(later.matches(PASSWORD, stored)).isTrue();
        assertThat(later.upgradeEncoding(stored)).isTrue();
    }

    @Test
    void hashOfHigherCost_isNotWrittenDown() {
        String dear = ENCODERS.withDefault(
                        HashSpec.unchecked(Parameters.of("bcrypt", "cost", 5), permits -> BcryptFormat.writing(5)))
                .encode(PASSWORD);

        assertThat(ENCODERS.upgradeEncoding(dear)).isFalse();
    }

    /** No less work and no less memory, however the costs are made up of it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "argon2id | argon2id,v=19 | m=19456,t=2,p=1 | CURRENT",
                "argon2id | argon2id,v=19 | m=19455,t=2,p=1 | UPGRADE",
                "argon2id | argon2id,v=19 | m=38912,t=1,p=1 | CURRENT",
                "argon2id | argon2id,v=19 | m=1048576,t=1,p=4 | CURRENT",
                "argon2id | argon2id,v=19 | m=38911,t=1,p=1 | UPGRADE",
                "argon2id | argon2id,v=19 | m=9728,t=8,p=1 | UPGRADE",
                "argon2id:m=19456,t=2,p=4 | argon2id,v=19 | m=19456,t=2,p=1 | CURRENT",
                "scrypt | scrypt | ln=17,r=8,p=1 | CURRENT",
                "scrypt | scrypt | ln=18,r=8,p=1 | CURRENT",
                "scrypt | scrypt | ln=17,r=9,p=1 | CURRENT",
                "scrypt | scrypt | ln=16,r=8,p=4 | UPGRADE",
                "scrypt:ln=17,r=8,p=2 | scrypt | ln=17,r=8,p=1 | UPGRADE",
                "pbkdf2-sha256 | pbkdf2-sha256 | i=600000 | CURRENT",
                "pbkdf2-sha256 | pbkdf2-sha256 | i=599999 | UPGRADE"
            })
    void hashIsReplaced_onlyByOneOfMoreWorkOrMoreMemory(String spec, String id, String costs, Standing standing) {
        String row = "$" + id.replace(',', '$') + "$" + costs
                + "$c29tZXNhbHRvZm1pbmUhIQ$HYyjA/1qx0SIPn8sXjNgPXwG6aBREEnvt2G7lNYK0g4";

        assertThat(PasswordEncoders.identifyingOnly(HashSpec.of(spec))
                        .identify(row)
                        .standing())
                .isEqualTo(standing);
    }

    /** As strong as new hashes by the costs, and outdated for another reason. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "argon2id | $argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRvZm1pbmUhIQ$ | 43 | CURRENT",
                "argon2id | $argon2id$v=16$m=19456,t=2,p=1$c29tZXNhbHRvZm1pbmUhIQ$ | 43 | UPGRADE",
                "argon2id | $argon2id$m=19456,t=2,p=1$c29tZXNhbHRvZm1pbmUhIQ$ | 43 | UPGRADE",
                "argon2id | $argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$ | 43 | UPGRADE",
                "argon2id | $argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRvZm1pbmUh$ | 43 | UPGRADE",
                "scrypt | $scrypt$ln=17,r=8,p=1$c29tZXNhbHQ$ | 43 | UPGRADE",
                "pbkdf2-sha256 | $pbkdf2-sha256$i=600000$c29tZXNhbHQ$ | 43 | UPGRADE",
                "bcrypt | {bcrypt}$2b$10$ | 53 | CURRENT",
                "bcrypt | {bcrypt}$2a$10$ | 53 | CURRENT",
                "bcrypt | $2y$10$ | 53 | UPGRADE",
                "bcrypt | $2b$10$ | 53 | UPGRADE"
            })
    void hashOfAnOlderVersionOrAShortSaltOrOfAnotherSystem_isReplaced(
            String spec, String start, int characters, Standing standing) {
        HashInfo info = PasswordEncoders.identifyingOnly(HashSpec.of(spec)).identify(start + "A".repeat(characters));

        assertThat(info.standing()).isEqualTo(standing);
        assertThat(info.reason()).doesNotContain("costs less");
    }

    /** As in a rolling update: some nodes know the key, and others write with the key. */
    @Test
    void pepperThatIsOnlyKnown_verifies_andIsNeitherWrittenNorReplaced() {
        PasswordEncoders writing = ENCODERS.withPepper(Pepper.of("2025", key('a')));
        PasswordEncoders knowing = ENCODERS.withPepper(Pepper.onlyOld().andOld("2025", key('a')));
        String peppered = writing.encode(PASSWORD);
        String plain = knowing.encode(PASSWORD);

        assertThat(peppered).startsWith("{pepper@2025}");
        assertThat(plain).doesNotContain("pepper");
        for (String stored : List.of(peppered, plain)) {
            assertThat(knowing.matches(PASSWORD, stored)).isTrue();
            assertThat(knowing.matches(PASSWORD + "x", stored)).isFalse();
            assertThat(knowing.upgradeEncoding(stored)).isFalse();
            assertThat(writing.matches(PASSWORD, stored)).isTrue();
        }
        assertThat(writing.upgradeEncoding(plain)).isTrue();
        assertThat(knowing.maxPasswordBytes()).isEqualTo(ENCODERS.maxPasswordBytes());
    }

    @Test
    void pepperedHash_matchesUnderItsKeyOnly() {
        Pepper first = Pepper.of("2025", key('a'));
        Pepper second = Pepper.of("2026", key('b')).andOld("2025", key('a'));
        String old = ENCODERS.withPepper(first).encode(PASSWORD);
        String fresh = ENCODERS.withPepper(second).encode(PASSWORD);
        String plain = ENCODERS.encode(PASSWORD);
        PasswordEncoders now = ENCODERS.withPepper(second);

        assertThat(old).startsWith("{pepper@2025}{bcrypt}");
        assertThat(now.matches(PASSWORD, fresh)).isTrue();
        assertThat(now.upgradeEncoding(fresh)).isFalse();
        assertThat(now.matches(PASSWORD, old)).isTrue();
        assertThat(now.identify(old).reason()).isEqualTo("hashed under an old pepper key");
        assertThat(now.matches(PASSWORD, plain)).isTrue();
        assertThat(now.upgradeEncoding(plain)).isTrue();
        assertThat(ENCODERS.withPepper(first).matches(PASSWORD, fresh)).isFalse();
        assertThat(ENCODERS.matches(PASSWORD, old)).isFalse();
        assertThat(ENCODERS.withPepper(Pepper.of("2025", key('c'))).matches(PASSWORD, old))
                .isFalse();
    }

    @Test
    void pepperKeysAreCopied_soTheirOwnerMayWipeThem() {
        Secret current = key('a');
        Secret old = key('b');
        PasswordEncoders encoders =
                ENCODERS.withPepper(Pepper.of("2026", current).andOld("2025", old));
        String stored = encoders.encode(PASSWORD);
        String before = ENCODERS.withPepper(Pepper.of("2025", old)).encode(PASSWORD);
        current.close();
        old.close();

        assertThat(encoders.matches(PASSWORD, stored)).isTrue();
        assertThat(encoders.matches(PASSWORD, before)).isTrue();
    }

    @Test
    void pepper_liftsBcryptsLimit() {
        PasswordEncoders peppered = ENCODERS.withPepper(Pepper.of("k", key('a')));
        String stored = peppered.encode("x".repeat(100));

        assertThat(peppered.maxPasswordBytes()).isEqualTo(1024);
        assertThat(peppered.matches("x".repeat(100), stored)).isTrue();
        assertThat(peppered.matches("x".repeat(72), stored)).isFalse();
        assertThat(peppered.matches("x".repeat(101), stored)).isFalse();
    }

    @Test
    void pepperWithShortKeyBadIdOrTakenId_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Pepper.of("k", Secret.of(new byte[31])))
                .withMessageContaining("32 bytes, 'k' has 31");
        assertThatIllegalArgumentException().isThrownBy(() -> Pepper.of("a}b", key('a')));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Pepper.of("k", key('a')).andOld("k", key('b')));
    }

    @Test
    void missingBouncyCastle_isAStartUpErrorThatNamesTheArtifact() {
        assertThatThrownBy(() -> PasswordEncoders.writing(HashSpec.of("bcrypt"), false))
                .isInstanceOfSatisfying(
                        MissingLibraryException.class,
                        e -> assertThat(e.artifact()).isEqualTo("org.bouncycastle:bcprov-jdk18on"))
                .hasMessageContaining("org.bouncycastle:bcprov-jdk18on")
                .hasMessageContaining("writingWithoutBouncyCastle");
        assertThatThrownBy(() -> PasswordEncoders.writingWithoutBouncyCastle(HashSpec.of("scrypt")))
                .isInstanceOf(MissingLibraryException.class);
    }

    @Test
    void withoutBouncyCastle_argon2AndScryptRowsAreNamedAndRefused() {
        PasswordEncoders without = PasswordEncoders.writingWithoutBouncyCastle(Cheap.bcrypt());
        String argon2 = ENCODERS.withDefault(Cheap.argon2id()).encode(PASSWORD);

        assertThat(without.matches(PASSWORD, argon2)).isFalse();
        assertThat(without.identify(argon2).algorithm()).isEqualTo("argon2");
        assertThat(without.identify(argon2).standing()).isEqualTo(Standing.REFUSED);
        assertThat(without.matches(PASSWORD, ENCODERS.encode(PASSWORD))).isTrue();
    }

    @Test
    void noToString_showsASecret() {
        PasswordEncoders encoders = ENCODERS.withPepper(Pepper.of("k1", key('Z')));

        assertThat(encoders).hasToString("PasswordEncoders[writing bcrypt:cost=4, Pepper[k1]]");
    }

    private static Secret key(char fill) {
        return Secret.of(String.valueOf(fill).repeat(32));
    }
}
