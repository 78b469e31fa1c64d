package dev.latchkey.auth.password.migration.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.latchkey.auth.password.Foreign;
import dev.latchkey.auth.password.PasswordProblem;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PasswordPolicyTest {

    private static final PasswordPolicy EIGHT = PasswordPolicy.ofMinLength(8);

    @ParameterizedTest
    @CsvSource({
        "short1, too_short",
        "password, common",
        "PassWord2026, common",
        "P@$$w0rd!, common",
        "qwertyuiop, common",
        "1q2w3e4r5t6y, ''",
        "iloveyou123456, common",
        "12345678, common",
        "abababababab, repetitive",
        "wolkewolkewolke, repetitive",
        "acmecorp99, about_the_account",
        "acmecorp-and-more-words, ''",
        "tuba plinth vexed crumb, ''",
        "пароль-из-слов-длинный, ''"
    })
    void password_isJudged(String password, String code) {
        assertThat(EIGHT.problems(password, "AcmeCorp"))
                .extracting(PasswordProblem::code)
                .matches(codes -> code.isEmpty() ? codes.isEmpty() : codes.contains(code), code);
    }

    @Test
    void lengthIsInCharacters_andBothSidesOfItHold() {
        assertThat(PasswordPolicy.recommended().problems("kva tuz mel pod")).isEmpty();
        assertThat(PasswordPolicy.recommended().problems("kva tuz mel po"))
                .extracting(PasswordProblem::code)
                .containsExactly("too_short");
        assertThat(EIGHT.problems("😀😁😂🤣😃😄😅"))
                .extracting(PasswordProblem::code)
                .contains("too_short");
        assertThat(EIGHT.problems("")).extracting(PasswordProblem::code).containsExactly("too_short");
    }

    @Test
    void passwordThatTheEncodersDoNotTake_isRefused() {
        PasswordPolicy policy = EIGHT.within(Foreign.encoders());
        String words = "tuba plinth vexed crumb ".repeat(10);

        assertThat(policy.problems(words.substring(0, 70))).isEmpty();
        assertThat(policy.problems(words.substring(0, 73)))
                .extracting(PasswordProblem::code)
                .containsExactly("too_long");
        assertThat(EIGHT.problems("tuba plinth\ud800"))
                .extracting(PasswordProblem::code)
                .containsExactly("not_text");
        assertThat(EIGHT.problems("tuba plinth\0"))
                .extracting(PasswordProblem::code)
                .containsExactly("not_text");
    }

    @Test
    void ruleOfOnesOwn_isAskedToo() {
        PasswordPolicy policy = EIGHT.withRule(password -> password.toString().contains("plinth")
                ? Optional.of(new PasswordProblem("plinth", "No plinths"))
                : Optional.empty());

        assertThat(policy.problems("tuba plinth vexed"))
                .extracting(PasswordProblem::code)
                .containsExactly("plinth");
        assertThat(policy.problems("tuba vexed crumb")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {7, 65})
    void lengthOutOfRange_isRefused(int length) {
        assertThatIllegalArgumentException().isThrownBy(() -> PasswordPolicy.ofMinLength(length));
    }

    @Test
    void bundledFilter_isWhatItsMakerMakes() throws IOException {
        try (InputStream in = CommonPasswords.class.getResourceAsStream("common-passwords.bloom")) {
            byte[] bundled = Objects.requireNonNull(in).readAllBytes();

            assertThat(CommonPasswords.of(CommonPasswordMaker.make()).toBytes()).isEqualTo(bundled);
            assertThat(bundled).hasSizeBetween(50_000, 250_000);
        }
    }

    @Test
    void everyMadePassword_isFound() {
        assertThat(CommonPasswordMaker.make()).hasSizeGreaterThan(50_000).allMatch(CommonPasswords.bundled()::contains);
    }

    /**
     * Each password ends in a digit and has a digit for a letter. So each needs four look-ups, and each look-up may be wrong.
     */
    @Test
    void otherPasswords_areTakenForCommonLessThanOnceInThreeThousand() {
        Random random = new Random(1970);
        int taken = 0;
        for (int i = 0; i < 200_000; i++) {
            String letters = random.ints(18, 'a', 'z' + 1)
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
            taken += CommonPasswords.bundled().contains("4" + letters + i % 10) ? 1 : 0;
        }

        assertThat(taken).isLessThan(200_000 / 3_000);
    }
}
