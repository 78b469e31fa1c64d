package dev.latchkey.auth.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccountNameTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ann",
                "ANN",
                " Ann ",
                "a n\tn",
                "\uff21nn",
                "\uff21\uff2e\uff2e",
                "\u00c1nn",
                "a\u0301nn",
                "a\u0338n\u20ddn",
                "a\u200dn\u200bn\ufeff",
                "\u202eann",
                "an\u00adn",
                "\u24d0nn",
                "\ud835\udc1ann",
                "a\0nn",
                "a\u007fnn"
            })
    void spellingsOfOneName_areOne(String spelling) {
        assertThat(AccountName.folded(spelling)).isEqualTo("ann");
    }

    @Test
    void caseIsFoldedAsUnicodeDoes_inEachLocale() {
        assertThat(AccountName.folded("Stra\u00dfe")).isEqualTo(AccountName.folded("STRASSE"));
        assertThat(AccountName.folded("\u03a3\u03c3\u03c2")).isEqualTo(AccountName.folded("\u03c3\u03c3\u03c3"));
        assertThat(AccountName.folded("I\u0130\u0131i")).isEqualTo("iiii");
    }

    @Test
    void namesThatDiffer_stayApart() {
        assertThat(AccountName.folded("anna")).isNotEqualTo(AccountName.folded("ann"));
        assertThat(AccountName.folded("\u6f22")).isNotEqualTo(AccountName.folded("\u5b57"));
        assertThat(AccountName.folded("a.b")).isNotEqualTo(AccountName.folded("ab"));
    }

    @Test
    void textThatIsNotUnicode_isAName() {
        assertThat(AccountName.folded("\ud800ann\udc00")).contains("ann");
        assertThat(AccountName.folded("")).isEmpty();
        assertThat(AccountName.folded(" \t")).isEmpty();
    }

    @Test
    void longNamesWithOneBeginning_areOneName_andCostOnlyTheBeginning() {
        String name = "\ufdfa".repeat(512);
        String folded = AccountName.folded(name);
        assertThat(AccountName.folded(name + "x".repeat(1 << 20))).isEqualTo(folded);
        assertThat(AccountName.folded(name.substring(1))).isNotEqualTo(folded);
        assertThat(folded.length()).isLessThan(20 * 512);
    }
}
