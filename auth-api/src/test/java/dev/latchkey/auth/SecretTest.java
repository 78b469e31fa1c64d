package dev.latchkey.auth;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.CharBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "correct horse",
                "\0",
                "\u00E9",
                "e\u0301",
                "\u4E2D\u6587",
                "\uD83D\uDD11",
                "\uFFFF",
                "\u007F\u0080\u07FF\u0800\uD7FF\uE000",
                "a\uDBFF\uDFFFb"
            })
    void text_isHeldAsUtf8AndComesBack(String text) {
        Secret secret = Secret.of(text);
        assertThat(secret.<byte[]>withBytes(byte[]::clone)).isEqualTo(text.getBytes(UTF_8));
        assertThat(secret.<String>withText(CharSequence::toString)).isEqualTo(text);
        assertThat(secret.length()).isEqualTo(text.getBytes(UTF_8).length);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\uD800", "\uDC00", "a\uD800", "\uD800a", "\uDC00\uD800", "\uD83D\uDD11\uD83D"})
    void loneSurrogate_isRefusedAndNotPrinted(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Secret.of("hunter2" + text))
                .withMessageContaining("lone surrogate")
                .withMessageNotContaining("hunter2");
    }

    @Test
    void textsThatDifferInALoneSurrogate_areNeverTheSameSecret() {
        assertThat(Secret.of("a?").matches(Secret.of("a\uFFFD"))).isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> Secret.of("a\uD800"));
    }

    @Test
    void toString_saysOnlyThatItIsASecret() {
        assertThat(Secret.of("hunter2")).hasToString("Secret[****]");
        assertThat(Secret.of("")).hasToString("Secret[****]");
    }

    @Test
    void sameBytes_match() {
        assertThat(Secret.of("caf\u00E9").matches(Secret.of("caf\u00E9".getBytes(UTF_8))))
                .isTrue();
        assertThat(Secret.of("").matches(Secret.of(new byte[0]))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "h", "hunter", "hunter22", "Hunter2", "hunter3", " hunter2"})
    void otherBytes_doNotMatch(String other) {
        assertThat(Secret.of("hunter2").matches(Secret.of(other))).isFalse();
    }

    @Test
    void equality_isIdentity_soNoComparisonTakesVariableTime() {
        assertThat(Secret.of("hunter2")).isNotEqualTo(Secret.of("hunter2"));
    }

    @Test
    void bytesOfTheCaller_areCopied() {
        byte[] bytes = {1, 2, 3};
        Secret secret = Secret.of(bytes);
        bytes[0] = 9;
        assertThat(secret.<byte[]>withBytes(byte[]::clone)).containsExactly(1, 2, 3);
    }

    @Test
    void lentBytes_areACopyAndAreWipedAfterwards() {
        Secret secret = Secret.of(new byte[] {1, 2, 3});
        AtomicReference<byte[]> lent = new AtomicReference<>();
        secret.withBytes(bytes -> {
            lent.set(bytes);
            bytes[0] = 9;
            return null;
        });
        assertThat(lent.get()).containsOnly(0);
        assertThat(secret.<byte[]>withBytes(byte[]::clone)).containsExactly(1, 2, 3);
    }

    @Test
    void lentBytes_areWipedWhereTheBorrowerThrows() {
        AtomicReference<byte[]> lent = new AtomicReference<>();
        assertThatThrownBy(() -> Secret.of("hunter2").withBytes(bytes -> {
                    lent.set(bytes);
                    throw new IllegalArgumentException("borrower");
                }))
                .hasMessage("borrower");
        assertThat(lent.get()).containsOnly(0);
    }

    @Test
    void lentText_isWipedAfterwards() {
        AtomicReference<CharSequence> lent = new AtomicReference<>();
        Secret.of("hunter2").withText(text -> {
            lent.set(text);
            return null;
        });
        assertThat(((CharBuffer) lent.get()).array()).containsOnly('\0');
    }

    @Test
    void bytesThatAreNoText_becomeReplacementCharacters() {
        assertThat(Secret.of(new byte[] {'a', (byte) 0xFF}).<String>withText(CharSequence::toString))
                .isEqualTo("a\uFFFD");
    }

    @Test
    void wipedSecret_cannotBeUsedAnyMore() {
        Secret secret = Secret.of("hunter2");
        secret.close();
        Secret other = Secret.of("hunter2");
        for (Runnable use : List.<Runnable>of(
                () -> secret.withBytes(bytes -> bytes),
                () -> secret.withText(text -> text),
                () -> secret.matches(other),
                () -> other.matches(secret))) {
            assertThatIllegalStateException().isThrownBy(use::run).withMessage("The secret was wiped");
        }
    }

    @Test
    void wipedSecret_matchesNothing_notEvenZeroes() {
        Secret secret = Secret.of("ab");
        secret.close();
        assertThatIllegalStateException().isThrownBy(() -> secret.matches(Secret.of(new byte[2])));
    }

    @Test
    void wipingTwice_isTheSameAsOnce() {
        Secret secret = Secret.of("hunter2");
        secret.close();
        secret.close();
        assertThat(secret).hasToString("Secret[****]");
    }

    @Test
    void credentials_printNoSecret() {
        assertThat(new PasswordCredentials("ada", Secret.of("hunter2")))
                .hasToString("PasswordCredentials[username=ada, password=Secret[****]]");
        assertThat(BearerToken.of("hunter2")).hasToString("BearerToken[token=Secret[****]]");
    }
}
