package dev.latchkey.auth.password;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.password.HashInfo.Standing;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

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
                        HashSpec.unchecked(BcryptFormat.parameters(5), permits -> BcryptFormat.writing(5)))
                .encode(PASSWORD);

        assertThat(ENCODERS.upgradeEncoding(dear)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"argon2id", "scrypt", "bcrypt", "pbkdf2-sha256", "pbkdf2-sha512"})
    void defaultCosts_areOwasps(String name) {
        assertThat(HashSpec.of(name).toString())
                .isIn(
                        "argon2id:m=19456,t=2,p=1",
                        "scrypt:ln=17,r=8,p=1",
                        "bcrypt:cost=10",
                        "pbkdf2-sha256:i=600000",
                        "pbkdf2-sha512:i=220000");
        assertThat(HashSpec.of(HashSpec.of(name).toString()))
                .hasToString(HashSpec.of(name).toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "argon2id:m=7167,t=6,p=1",
                "argon2id:m=19456,t=1,p=1",
                "argon2id:m=19456,t=2,p=0",
                "argon2id:m=1048577,t=1,p=1",
                "argon2id:m=1048576,t=5,p=1",
                "argon2id:m=19456,t=2,p=65",
                "scrypt:ln=12,r=8,p=20",
                "scrypt:ln=16,r=8,p=1",
                "scrypt:ln=19,r=8,p=1",
                "scrypt:ln=31,r=255,p=255",
                "bcrypt:cost=9",
                "bcrypt:cost=17",
                "bcrypt:cost=",
                "bcrypt:",
                "bcrypt:rounds=12",
                "bcrypt:cost=-12",
                "pbkdf2-sha256:i=599999",
                "pbkdf2-sha256:i=10000001",
                "pbkdf2-sha512:i=219999",
                "sha1",
                "",
                "BCRYPT"
            })
    void specBelowAFloorOrAboveACeilingOrUnknown_isRefusedWithTheRule(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> HashSpec.of(text)).withMessageMatching("(?s).{20,}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "argon2id:m=7168,t=5,p=1",
                "argon2id:m=47104,t=1,p=1",
                "argon2id:m=1048576,t=4,p=1",
                "scrypt:ln=13,r=8,p=10",
                "scrypt:ln=18,r=8,p=4",
                "bcrypt:cost=16",
                "pbkdf2-sha256:i=10000000"
            })
    void specAtAFloorOrACeiling_isTaken(String text) {
        assertThat(HashSpec.of(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"noop", "md4", "md5"})
    void dangerousFormat_isNeverWritten_andTheRefusalNamesTheDanger(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HashSpec.of(name))
                .withMessageContaining("never written")
                .withMessageContaining(DangerousFormat.byId().get(name).danger());
    }

    static Stream<List<String>> dangerousRows() {
        return Stream.of(
                List.of("PLAIN_TEXT", "{noop}" + PASSWORD),
                List.of("MD5", "{MD5}{abc}eac227db96bb7a9cf4ae5ad2e1e93fa7"),
                List.of("MD5", "{MD5}PLTnMmMfR+brlh80VUt83g=="),
                List.of("MD5", "3cb4e732631f47e6eb961f34554b7cde"),
                List.of("MD4", "{MD4}" + springMd4()));
    }

    @SuppressWarnings("deprecation")
    private static String springMd4() {
        return new org.springframework.security.crypto.password.Md4PasswordEncoder().encode(PASSWORD);
    }

    @ParameterizedTest
    @MethodSource("dangerousRows")
    void dangerousRow_isRefusedUnlessAskedFor(List<String> row) {
        DangerousFormat format = DangerousFormat.valueOf(row.get(0));
        PasswordEncoders asked = ENCODERS.readingDangerously(format);

        assertThat(ENCODERS.matches(PASSWORD, row.get(1))).isFalse();
        assertThat(ENCODERS.identify(row.get(1)).standing()).isEqualTo(Standing.REFUSED);
        assertThat(ENCODERS.identify(row.get(1)).reason()).contains(format.danger(), "readingDangerously");
        assertThat(asked.matches(PASSWORD, row.get(1))).isTrue();
        assertThat(asked.matches(PASSWORD + "!", row.get(1))).isFalse();
        assertThat(asked.upgradeEncoding(row.get(1))).isTrue();
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
