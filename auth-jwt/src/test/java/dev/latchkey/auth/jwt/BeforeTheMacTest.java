package dev.latchkey.auth.jwt;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static dev.latchkey.auth.jwt.Forge.encoded;
import static dev.latchkey.auth.jwt.Forge.outcome;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A caller without a key learns a single fact, at a single price. */
@Tag("long")
class BeforeTheMacTest {

    private static final String WRONG_MAC = "A".repeat(HmacAlgorithm.HS256.encodedMacLength());

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"alg\":\"none\"} | {} | wrong_algorithm",
                "{\"alg\":\"HS256\",\"crit\":[]} | {} | unsupported_header",
                "{\"alg\":\"HS256\",,} | {} | malformed_header",
                "{\"alg\":\"HS256\"} | {\"exp\":1} | expired",
                "{\"alg\":\"HS256\"} | {\"exp\":null} | ill_typed_claim",
                "{\"alg\":\"HS256\"} | {\"a\":1,\"a\":1} | malformed_claims",
                "{\"alg\":\"HS256\"} | no JSON | malformed_claims"
            })
    void defectBehindTheMac_isToldOnlyToACallerThatCanSign(String header, String claims, String defect) {
        String input = encoded(header) + "." + encoded(claims);
        assertThat(outcome(Forge.signed(input))).isEqualTo(defect);
        assertThat(outcome(input + "." + WRONG_MAC)).isEqualTo("bad_mac");
    }

    @ParameterizedTest
    @CsvSource({"!!!.e30", "eyJhbGciOiJIUzI1NiJ9.!!!", "eyJhbGciOiJIUzI1NiJ9.e30==", "e31.e30"})
    void partsThatDecodeToNothing_areToldOnlyToACallerThatCanSign(String input) {
        assertThat(outcome(Forge.signed(input))).startsWith("malformed");
        assertThat(outcome(input + "." + WRONG_MAC)).isEqualTo("bad_mac");
    }

    @Test
    void longTokenWithAWrongMac_allocatesNoMoreThanAShortOne() {
        JwtVerifier verifier = Forge.verifier();
        String shortToken = token(80);
        String longToken = token(JwtVerifier.DEFAULT_MAX_LENGTH);
        long forShort = allocatedBy(() -> verifier.verify(shortToken));
        assertThat(forShort).isLessThan(2000);
        // The compiler may save an object in the middle of this; a copy or a part of 8 KiB would be thousands of bytes.
        long most = forShort + 500;
        assertThat(allocatedBy(() -> verifier.verify(longToken))).isLessThan(most);
        byte[] shortBytes = shortToken.getBytes(StandardCharsets.US_ASCII);
        byte[] longBytes = longToken.getBytes(StandardCharsets.US_ASCII);
        assertThat(allocatedBy(() -> verifier.verify(shortBytes))).isLessThan(most);
        assertThat(allocatedBy(() -> verifier.verify(longBytes))).isLessThan(most);
        String accepted = Forge.token(Forge.claims("\"x\":\"" + "y".repeat(5000) + "\""));
        assertThat(allocatedBy(() -> verifier.verify(accepted)))
                .as("the measure sees what is proportionate")
                .isGreaterThan(5000);
    }

    /** A token of this length, with a readable header and claims and a wrong MAC. */
    private static String token(int length) {
        String header = encoded("{\"alg\":\"HS256\"}");
        int rest = length - header.length() - WRONG_MAC.length() - 2;
        return header + "." + "e".repeat(rest) + "." + WRONG_MAC;
    }

    /** Bytes for each call: the least of several rounds, since the runtime allocates now and then for itself. */
    private static long allocatedBy(Runnable verification) {
        long least = Long.MAX_VALUE;
        int calls = 100;
        for (int round = 0; round < 20; round++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < calls; i++) {
                verification.run();
            }
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        return least / calls;
    }

    /** A comparison that stops at the first difference is a thousand times quicker here, on any machine. */
    @Test
    void comparison_takesAsLongForAnEarlyDifferenceAsForALateOne() {
        int length = 48_000;
        byte[] bytes = new byte[length + Long.BYTES];
        byte[] text = Arrays.copyOf(encoded(Arrays.copyOf(bytes, length)).getBytes(StandardCharsets.US_ASCII), 64_008);
        byte[] early = text.clone();
        early[0] ^= 1;
        byte[] late = text.clone();
        late[Base64Url.encodedLength(length) - 1] ^= 1;
        assertThat(Base64Url.isEncodedAt(text, 0, bytes, length)).isTrue();
        long forEarly = Long.MAX_VALUE;
        long forLate = Long.MAX_VALUE;
        for (int i = 0; i < 200; i++) {
            forEarly = Math.min(forEarly, nanosOfRefusing(early, bytes, length));
            forLate = Math.min(forLate, nanosOfRefusing(late, bytes, length));
        }
        assertThat(forEarly).isGreaterThan(forLate / 4);
    }

    private static long nanosOfRefusing(byte[] text, byte[] bytes, int length) {
        long start = System.nanoTime();
        boolean equal = Base64Url.isEncodedAt(text, 0, bytes, length);
        long nanos = System.nanoTime() - start;
        assertThat(equal).isFalse();
        return nanos;
    }

    @Test
    void mac_isComparedInNoOtherWay() {
        classes()
                .that()
                .areAssignableTo(TokenBuffers.class)
                .should()
                .callMethod(Base64Url.class, "isEncodedAt", byte[].class, int.class, byte[].class, int.class)
                .check(ProofTest.MODULE);
        noClasses()
                .that()
                .areAssignableTo(TokenBuffers.class)
                .or()
                .areAssignableTo(Hmac.class)
                .should()
                .callMethodWhere(
                        target(nameMatching("equals|mismatch|compare(To)?(IgnoreCase)?|contentEquals|regionMatches")))
                .check(ProofTest.MODULE);
    }
}
