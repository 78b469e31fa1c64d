package dev.latchkey.benchmarks.load.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class AnswerReaderTest {

    private static AnswerReader reading(String... lines) {
        String text = String.join("\r\n", lines);
        return new AnswerReader(new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1)));
    }

    @Test
    void answerWithALength_endsBehindItsBody() throws IOException {
        AnswerReader answers = reading(
                "HTTP/1.1 200 ", "Content-Length: 4", "", "bodyHTTP/1.1 429 Too Many", "content-length:0", "", "");
        assertThat(answers.next()).isEqualTo(200);
        assertThat(answers.next()).isEqualTo(429);
    }

    @Test
    void chunkedAnswer_endsBehindItsTrailers() throws IOException {
        AnswerReader answers = reading(
                "HTTP/1.1 503 ",
                "Transfer-Encoding: chunked",
                "",
                "a;name=value",
                "0123456789",
                "1",
                "x",
                "0",
                "Trailer: x",
                "",
                "HTTP/1.1 401 ",
                "Content-Length: 0",
                "",
                "");
        assertThat(answers.next()).isEqualTo(503);
        assertThat(answers.next()).isEqualTo(401);
    }

    @Test
    void answerThatIsCutOff_isNone() {
        assertThatExceptionOfType(EOFException.class)
                .isThrownBy(() -> reading("").next());
        assertThatExceptionOfType(EOFException.class)
                .isThrownBy(() ->
                        reading("HTTP/1.1 200 ", "Content-Length: 4", "", "bod").next());
        assertThatExceptionOfType(EOFException.class)
                .isThrownBy(() -> reading("HTTP/1.1 200 ", "Transfer-Encoding: chunked", "", "4", "bo")
                        .next());
    }

    @Test
    void whatIsNoAnswer_orOfUnknownLength_isRefused() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> reading("HTTP/1.0 200 OK", "", "").next())
                .withMessageContaining("HTTP/1.1");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> reading("HTTP/1.1 200 OK", "", "").next())
                .withMessageContaining("how long");
    }
}
