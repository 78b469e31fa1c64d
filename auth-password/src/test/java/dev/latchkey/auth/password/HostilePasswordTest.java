package dev.latchkey.auth.password;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.password.HashInfo.Standing;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Passwords of any caller; no message contains the password. */
class HostilePasswordTest {

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
        assertThat(encoders.matches("x".repeat(64), encoders.encode("x".repeat(64))))
                .isTrue();
        assertThat(ENCODERS.withMaxPasswordBytes(65).matches("é".repeat(32) + "e", stored))
                .isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> ENCODERS.withMaxPasswordBytes(63));
        assertThatIllegalArgumentException().isThrownBy(() -> ENCODERS.withMaxPasswordBytes(4097));
    }

    /** Reads none of its characters: a reader of the characters has begun the work. */
    @ParameterizedTest
    @ValueSource(ints = {1025, 1 << 30, Integer.MAX_VALUE})
    void passwordOfMoreCharactersThanBytesAreAllowed_isRefusedByItsLengthAlone(int length) {
        CharSequence huge = new CharSequence() {
            @Override
            public int length() {
                return length;
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

    @Test
    void noMessageOrDescription_holdsThePasswordOrTheHash() {
        String secret = "hunter2-hunter2-\ud800";
        String stored = ENCODERS.encode(PASSWORD);

        assertThatThrownBy(() -> ENCODERS.encode(secret)).hasMessageNotContaining("hunter2");
        assertThat(ENCODERS.identify(stored).toString()).doesNotContain(stored.substring(15));
        assertThat(ENCODERS.identify("{noop}hunter2").toString()).doesNotContain("hunter2");
    }
}
