package dev.latchkey.auth.password;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.latchkey.auth.password.hash.NotedWork;
import dev.latchkey.auth.password.hash.Parameters;
import dev.latchkey.auth.password.hash.Pbkdf2Format;
import dev.latchkey.auth.password.hash.Scheme;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One password in two normal forms of Unicode: encoders alone, and encoders with normalization. */
class UnicodePasswordTest {

    private static final String COMPOSED = "caf\u00e9 cr\u00e8me";
    private static final String DECOMPOSED = "cafe\u0301 cre\u0300me";

    private static final PasswordEncoders AS_SENT = Cheap.encoders();
    private static final PasswordEncoders NORMALIZING = AS_SENT.withUnicodeNormalization();

    @Test
    void withoutTheSetting_aPasswordIsTheBytesThatWereSent() {
        assertThat(AS_SENT.matches(DECOMPOSED, AS_SENT.encode(COMPOSED))).isFalse();
        assertThat(AS_SENT.matches(DECOMPOSED, AS_SENT.encode(DECOMPOSED))).isTrue();
    }

    @Test
    void withIt_allFormsOfAPasswordAreOne() {
        for (String set : List.of(COMPOSED, DECOMPOSED, "caf\u00e9\u00a0cre\u0300me")) {
            String stored = NORMALIZING.encode(set);

            assertThat(NORMALIZING.matches(COMPOSED, stored)).isTrue();
            assertThat(NORMALIZING.matches(DECOMPOSED, stored)).isTrue();
            assertThat(NORMALIZING.matches("cafe\u0301\u3000cr\u00e8me", stored))
                    .isTrue();
            assertThat(AS_SENT.matches(COMPOSED, stored)).isTrue();
            assertThat(NORMALIZING.matches("cafe creme", stored)).isFalse();
        }
    }

    /** RFC 8265 section 4.2.2: no case mapping, no width mapping, and no compatibility forms. */
    @ParameterizedTest
    @CsvSource({"Password, password", "\uff50assword, password", "\ufb01sh, fish", "\u2168, IX", "a\u00adb, ab"})
    void passwordsThatOpaqueStringKeepsApart_stayApart(String one, String other) {
        assertThat(NORMALIZING.matches(one, NORMALIZING.encode(other))).isFalse();
        assertThat(NORMALIZING.matches(other, NORMALIZING.encode(one))).isFalse();
        assertThat(NORMALIZING.matches(one, NORMALIZING.encode(one))).isTrue();
    }

    /** What RFC 8265 forbids may have been set before. */
    @ParameterizedTest
    @ValueSource(strings = {DECOMPOSED, COMPOSED, "a\u00a0b", "tab\there", "\u0007", "unassigned \u0378"})
    void passwordThatWasSetBefore_stillMatchesAsItWas(String set) {
        assertThat(NORMALIZING.matches(set, AS_SENT.encode(set))).isTrue();
        assertThat(NORMALIZING.matches(set, "{noop}x")).isFalse();
    }

    /** A check that only records its call. */
    private static List<String> workFor(String password, String row) {
        List<String> work = new ArrayList<>();
        Parameters parameters = Pbkdf2Format.Prf.SHA256.parameters(1000);
        Scheme scheme = NotedWork.of(parameters, share -> work.add(share == 1 ? "a hash" : "part of a hash"));
        PasswordEncoders encoders = NORMALIZING.withDefault(HashSpec.unchecked(parameters, permits -> scheme));

        assertThat(encoders.matches(password, row)).isFalse();
        return work;
    }

    @ParameterizedTest
    @ValueSource(strings = {"{SSHA}TmX8LrrVRFvgTaP2MUaAdeNc2yP7XyuF", "nonsense", ""})
    void wrongPassword_costsAsMuchAsForAnUnknownUser_inEachForm(String row) {
        assertThat(workFor(COMPOSED, row)).containsExactly("a hash");
        assertThat(workFor(DECOMPOSED, row)).containsExactly("a hash", "a hash");
        assertThat(workFor("cafe\u0301 " + "x".repeat(5000), row)).containsExactly("a hash");
    }

    @Test
    void formOfTheStoredHash_makesNoDifferenceToAWrongPassword() {
        String composed = "{pbkdf2-sha256}" + "$pbkdf2-sha256$i=250$c29tZXNhbHRzb21lc2FsdA$" + "A".repeat(43);

        assertThat(workFor(DECOMPOSED, composed)).containsExactly("part of a hash", "part of a hash");
        assertThat(workFor(COMPOSED, composed)).containsExactly("part of a hash");
    }

    @Test
    void normalFormThatIsTooLong_isRefusedOnEncode_andThePasswordThatWasSetBeforeMatches() {
        // Four bytes each, which NFC makes twelve.
        String musical = "\ud834\udd60".repeat(18);

        assertThat(NORMALIZING.matches(musical, AS_SENT.encode(musical))).isTrue();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NORMALIZING.encode(musical))
                .withMessageContaining("at most 72 bytes");
    }

    @Test
    void brokenText_isRefusedAsWithoutTheSetting() {
        for (String broken : List.of("", "\ud800", "e\u0301\ud800", "a\u0000e\u0301")) {
            assertThatIllegalArgumentException().isThrownBy(() -> NORMALIZING.encode(broken));
            assertThat(NORMALIZING.matches(broken, NORMALIZING.encode("?"))).isFalse();
        }
        assertThat(NORMALIZING.matches(null, NORMALIZING.encode("?"))).isFalse();
    }
}
