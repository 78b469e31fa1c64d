package dev.latchkey.benchmarks.jwt;

import dev.latchkey.auth.jwt.HmacAlgorithm;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtResult;
import dev.latchkey.auth.jwt.JwtVerifier;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The ugliest claims of three lengths, all under a good MAC, so that they are read to their end or to what is refused: twice the
 * length should cost no more than twice the time.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class LongTokenBenchmark {

    /** What the claims are filled with, beside an {@code exp}. */
    public enum Filling {
        PLAIN_TEXT,
        WHITE_SPACE,
        NESTING,
        ESCAPES,
        SURROGATE_PAIRS,
        MULTI_BYTE,
        LONG_NUMBERS,
        MANY_MEMBERS,
        ESCAPED_NAMES,
        NAMES_OF_ONE_STRING_HASH
    }

    private static final String HEADER = "{\"alg\":\"HS256\",\"typ\":\"JWT\"}";

    @Param
    public Filling filling;

    /** Of the whole token, in characters. */
    @Param({"2048", "4096", "8192"})
    public int length;

    private JwtVerifier verifier;
    private String token;

    @Setup
    public void prepare() throws Exception {
        byte[] key = TokenLibrary.Algorithm.HS256.key();
        verifier = JwtVerifier.with(HmacKey.of(key, HmacAlgorithm.HS256));
        String signed = encoded(HEADER) + "." + encoded(claims((length - 90) * 3 / 4));
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        token = signed + "." + encoded(mac.doFinal(signed.getBytes(StandardCharsets.US_ASCII)));
    }

    private String claims(int bytes) {
        String exp = "\"exp\":99999999999";
        int room = bytes - exp.length() - 10;
        return switch (filling) {
            case PLAIN_TEXT -> "{\"x\":\"" + "y".repeat(room) + "\"," + exp + "}";
            case WHITE_SPACE -> "{" + " \t\r\n".repeat(room / 4) + exp + "}";
            case NESTING -> "{\"x\":[" + repeated(room, i -> "[[[[[[[[[[[[[]]]]]]]]]]]]]") + "]," + exp + "}";
            case ESCAPES -> "{\"x\":\"" + "\\u0041".repeat(room / 6) + "\"," + exp + "}";
            case SURROGATE_PAIRS -> "{\"x\":\"" + "\\uD83D\\uDE00".repeat(room / 12) + "\"," + exp + "}";
            case MULTI_BYTE -> "{\"x\":\"" + "\u20ac".repeat(room / 3) + "\"," + exp + "}";
            case LONG_NUMBERS -> "{\"x\":[" + repeated(room, i -> "-" + "9".repeat(55) + ".9e-999") + "]," + exp + "}";
            case MANY_MEMBERS -> "{" + repeated(room, i -> "\"claim-" + (100 + i) + "\":" + i) + "," + exp + "}";
            case ESCAPED_NAMES -> "{" + repeated(room, i -> "\"\\u0061-" + (100 + i) + "\":" + i) + "," + exp + "}";
            case NAMES_OF_ONE_STRING_HASH -> "{" + repeated(room, i -> "\"" + ofOneHash(i) + "\":0") + "," + exp + "}";
        };
    }

    private interface Piece {
        String at(int index);
    }

    private static String repeated(int room, Piece piece) {
        StringBuilder text = new StringBuilder(piece.at(0));
        for (int i = 1; text.length() + piece.at(i).length() < room; i++) {
            text.append(',').append(piece.at(i));
        }
        return text.toString();
    }

    /** Texts of ten pairs of letters; the two pairs have the same {@code String.hashCode}, and so have all such texts. */
    private static String ofOneHash(int index) {
        StringBuilder text = new StringBuilder();
        for (int bit = 0; bit < 10; bit++) {
            text.append((index >> bit & 1) == 0 ? "Aa" : "BB");
        }
        return text.toString();
    }

    private static String encoded(String text) {
        return encoded(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String encoded(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    @Benchmark
    public JwtResult verify() {
        return verifier.verify(token);
    }
}
