package dev.latchkey.examples.apikey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApiKeysTest {

    private static final String DIGEST = KeyFixture.digest(KeyFixture.ADA_KEY);

    @Test
    void line_givesSubjectAndAuthorities() throws MalformedKeysException {
        assertThat(subjectOf(KeyFixture.ADA_LINE))
                .isEqualTo(Subject.of("ada").withAuthorities("ROLE_USER", "SCOPE_read"));
    }

    @Test
    void lineWithoutAuthorities_givesASubjectWithNone() throws MalformedKeysException {
        assertThat(subjectOf("ada " + DIGEST)).isEqualTo(Subject.of("ada"));
    }

    @Test
    void commentsBlankLinesAndTabs_areAllowed() throws MalformedKeysException {
        ApiKeys keys = ApiKeys.parse(List.of("# keys", "", "  ", "\tada\t" + DIGEST + " \t ROLE_USER  ", " # end"));
        assertThat(keys.size()).isEqualTo(1);
    }

    @Test
    void digestInUpperCase_isTheSameDigest() throws MalformedKeysException {
        assertThat(subjectOf("ada " + DIGEST.toUpperCase(Locale.ROOT))).isEqualTo(Subject.of("ada"));
    }

    @Test
    void twoKeysOfOneSubject_areBothGood() throws MalformedKeysException {
        ApiKeys keys = ApiKeys.parse(
                List.of(KeyFixture.ADA_LINE, KeyFixture.line("ada", KeyFixture.ADA_NEW_KEY, "ROLE_ADMIN")));
        assertThat(keys.subjectOf(Secret.of(KeyFixture.ADA_KEY))).isPresent();
        assertThat(keys.subjectOf(Secret.of(KeyFixture.ADA_NEW_KEY)))
                .contains(Subject.of("ada").withAuthorities("ROLE_ADMIN"));
    }

    @Test
    void oneKeyOfTwoSubjects_isRefused() {
        assertThatThrownBy(() -> ApiKeys.parse(List.of("ada " + DIGEST, "eve " + DIGEST.toUpperCase(Locale.ROOT))))
                .hasMessageStartingWith("line 2: ")
                .hasMessageNotContaining(DIGEST);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ada",
                "ada DIGEST ROLE_USER more",
                "ada " + KeyFixture.ADA_KEY + "0",
                "ada 0123456789abcdef",
                "ada xyzDIGEST",
                "ada DIGEST ,",
                "ada DIGEST ROLE_USER,",
                "ada DIGEST ,ROLE_USER",
                "ada DIGEST A,,B",
                "ada DIGEST A,A",
                "ada DIGEST R\u00D6LE",
                "a\0da DIGEST",
                "\uFEFFada,DIGEST",
                "DIGEST"
            })
    void malformedLine_isRefusedWithItsNumberAndWithoutItsContent(String line) {
        String malformed = line.replace("DIGEST", DIGEST);
        assertThatThrownBy(() -> ApiKeys.parse(List.of("# one", KeyFixture.line("eve", "k".repeat(32), ""), malformed)))
                .isInstanceOf(MalformedKeysException.class)
                .hasMessageStartingWith("line 3: ")
                .hasMessageNotContaining(DIGEST)
                .hasMessageNotContaining("0123456789abcdef");
    }

    @Test
    void subjectOf256Characters_isRefused() {
        assertThatThrownBy(() -> ApiKeys.parse(List.of("a".repeat(256) + " " + DIGEST)))
                .hasMessageStartingWith("line 1: ");
    }

    @Test
    void noKeys_knowNobody() throws MalformedKeysException {
        assertThat(ApiKeys.parse(List.of()).subjectOf(Secret.of(""))).isEmpty();
    }

    @Test
    void toString_hasNeitherSubjectsNorDigests() throws MalformedKeysException {
        assertThat(ApiKeys.parse(List.of(KeyFixture.ADA_LINE))).hasToString("ApiKeys[1]");
    }

    private static Subject subjectOf(String line) throws MalformedKeysException {
        return ApiKeys.parse(List.of(line))
                .subjectOf(Secret.of(KeyFixture.ADA_KEY))
                .orElseThrow();
    }
}
