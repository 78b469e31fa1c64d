package dev.latchkey.auth.password.migration.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ColumnTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "a,b,c | 1 | a",
                "a,b,c | 3 | c",
                "a,b,c | 4 | ``",
                "a,,c | 2 | ``",
                "a, | 2 | ``",
                "a, | 3 | ``",
                "1,ann,\"$argon2id$v=19$m=65536,t=3,p=4$x$y\",x | 3 | $argon2id$v=19$m=65536,t=3,p=4$x$y",
                "\"a,b\",c | 1 | a,b",
                "\"a,b\",c | 2 | c",
                "\"a\"\"b\",c | 1 | a\"b",
                "\"a\"\",b\",c | 1 | a\",b",
                "\"\",c | 1 | ``",
                "\"a,b | 1 | \"a",
                "\"a,b | 2 | b",
                "\"a\"x,b | 2 | b",
                "\" | 1 | \"",
                "  x , y | 2 | y"
            })
    void cell_isWhatStandsBetweenTheDelimiters(String line, int number, String cell) {
        assertThat(new Column(number, ",").of(line)).isEqualTo(cell);
    }

    @Test
    void delimiter_mayHaveSeveralCharacters_andZeroIsTheWholeLine() {
        assertThat(new Column(2, "::").of("a::\"b::c\"::d")).isEqualTo("b::c");
        assertThat(new Column(3, "::").of("a::\"b::c\"::d")).isEqualTo("d");
        assertThat(new Column(0, ",").of(" a,b ")).isEqualTo("a,b");
        assertThatIllegalArgumentException().isThrownBy(() -> new Column(1, ""));
    }

    /** Each mark that is not closed would be looked for to the end of the line: a minute and more if it were each time. */
    @Test
    @Timeout(30)
    void lineFullOfMarksThatNothingCloses_takesItsLengthAndNotItsSquare() {
        String line = "\"a,".repeat(BoundedLines.MAX_CHARACTERS / 3);

        assertThat(new Column(Integer.MAX_VALUE, ",").of(line)).isEmpty();
    }
}
