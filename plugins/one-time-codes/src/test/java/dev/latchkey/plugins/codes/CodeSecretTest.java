package dev.latchkey.plugins.codes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CodeSecretTest {

    /** RFC 6238 appendix B: the last six of eight digits; the key is as long as the hash. */
    @ParameterizedTest
    @CsvSource({
        "59, 94287082, 46119246, 90693936",
        "1111111109, 07081804, 68084774, 25091201",
        "1111111111, 14050471, 67062674, 99943326",
        "1234567890, 89005924, 91819424, 93441116",
        "2000000000, 69279037, 90698825, 38618901",
        "20000000000, 65353130, 77737706, 47863826"
    })
    void vectorsOfTheRfc(long time, String sha1, String sha256, String sha512) {
        assertThat(code(CodeAlgorithm.SHA1, 20, time)).isEqualTo(sha1.substring(2));
        assertThat(code(CodeAlgorithm.SHA256, 32, time)).isEqualTo(sha256.substring(2));
        assertThat(code(CodeAlgorithm.SHA512, 64, time)).isEqualTo(sha512.substring(2));
    }

    private static String code(CodeAlgorithm algorithm, int length, long time) {
        byte[] key = "1234567890".repeat(7).substring(0, length).getBytes(StandardCharsets.US_ASCII);
        return new CodeSecret(algorithm, key).codeAt(CodeSecret.stepAt(Instant.ofEpochSecond(time)));
    }

    @Test
    void code_isFoundOneStepToEitherSide_andNoFurther() {
        CodeSecret secret = new CodeSecret(CodeAlgorithm.SHA1, new byte[20]);
        assertThat(secret.stepOf(secret.codeAt(99), 100)).hasValue(99);
        assertThat(secret.stepOf(secret.codeAt(100), 100)).hasValue(100);
        assertThat(secret.stepOf(secret.codeAt(101), 100)).hasValue(101);
        assertThat(secret.stepOf(secret.codeAt(98), 100)).isEmpty();
        assertThat(secret.stepOf(secret.codeAt(102), 100)).isEmpty();
    }

    @Test
    void secret_has160RandomBits_andIsTheSameAfterItWasStored() {
        SecureRandom random = new SecureRandom();
        CodeSecret secret = CodeSecret.random(CodeAlgorithm.SHA256, random);
        assertThat(secret.text())
                .hasSize(32)
                .isNotEqualTo(CodeSecret.random(CodeAlgorithm.SHA256, random).text());
        CodeSecret read = CodeSecret.of(secret.bytes());
        assertThat(read.codeAt(7)).isEqualTo(secret.codeAt(7));
        assertThat(read.algorithm()).isEqualTo(CodeAlgorithm.SHA256);
    }

    @Test
    void sealOfADevice_tellsItsFactsApart() {
        CodeSecret secret = new CodeSecret(CodeAlgorithm.SHA1, new byte[20]);
        byte[] seal = secret.deviceSeal(facts("ab", "c"));
        assertThat(seal).isEqualTo(secret.deviceSeal(facts("ab", "c")));
        assertThat(seal).isNotEqualTo(secret.deviceSeal(facts("a", "bc")));
        assertThat(seal).isNotEqualTo(secret.deviceSeal(facts("ab", "c", "")));
        assertThat(seal).isNotEqualTo(new CodeSecret(CodeAlgorithm.SHA1, new byte[] {1}).deviceSeal(facts("ab", "c")));
    }

    /** HMAC-SHA-256 of the purpose, and of each fact behind its length. */
    @Test
    void sealOfADevice_isAboutDevices() throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(new byte[20], "HmacSHA256"));
        byte[] expected = mac.doFinal("latchkey remembered device \0\0\0\2ab".getBytes(StandardCharsets.US_ASCII));
        assertThat(new CodeSecret(CodeAlgorithm.SHA1, new byte[20]).deviceSeal(facts("ab")))
                .isEqualTo(expected);
    }

    private static List<byte[]> facts(String... texts) {
        return Arrays.stream(texts)
                .map(text -> text.getBytes(StandardCharsets.UTF_8))
                .toList();
    }

    /** A time before 1970 has steps too. */
    @Test
    void step_isHalfAMinute() {
        assertThat(CodeSecret.stepAt(Instant.ofEpochSecond(29))).isZero();
        assertThat(CodeSecret.stepAt(Instant.ofEpochSecond(30))).isEqualTo(1);
        assertThat(CodeSecret.stepAt(Instant.ofEpochSecond(-1))).isEqualTo(-1);
    }

    @Test
    void digestOfARecoveryCode_isTheAccountsOwn() {
        SecureRandom random = new SecureRandom();
        CodeSecret one = CodeSecret.random(CodeAlgorithm.SHA1, random);
        assertThat(one.recoveryDigest("ABC"))
                .hasSize(64)
                .isNotEqualTo(one.recoveryDigest("ABD"))
                .isNotEqualTo(CodeSecret.random(CodeAlgorithm.SHA1, random).recoveryDigest("ABC"));
    }
}
