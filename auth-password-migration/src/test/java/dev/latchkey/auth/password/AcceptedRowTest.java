package dev.latchkey.auth.password;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.latchkey.auth.password.hash.Parameters;
import dev.latchkey.auth.password.hash.ParsedHash;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An accepted row or setting never causes an exception at a check. */
@Tag("long")
class AcceptedRowTest {

    private static final PasswordEncoders ENCODERS = allDangerous();

    private static final Pattern NUMBER = Pattern.compile("(?<![A-Za-z0-9+/])[0-9]{1,20}(?![A-Za-z0-9+/=])");
    private static final Pattern FIELD = Pattern.compile("[A-Za-z0-9+/.=_-]{6,}");

    private static final List<String> NUMBERS = List.of(
            "0",
            "1",
            "2",
            "3",
            "7",
            "8",
            "15",
            "16",
            "17",
            "63",
            "64",
            "65",
            "255",
            "256",
            "65536",
            "2147483647",
            "2147483648",
            "18446744073709551616");

    /** A millisecond or so; what takes longer is another test's subject. */
    private static final Parameters MOST = Cheap.bcrypt().parameters();

    private static PasswordEncoders allDangerous() {
        return Foreign.encoders().reading(Foreign.allDangerous());
    }

    /** One row of each tool, with each number at the boundaries, and each field empty, cut, doubled or in another alphabet. */
    @Test
    void acceptedRow_isChecked_forAllNumbersAndLengths() {
        Map<String, String> rowOfTool = new TreeMap<>();
        RealToolHashesTest.hashes().forEach(made -> rowOfTool.putIfAbsent(made.tool(), made.hash()));
        DangerousRowsTest.dangerousRows().forEach(row -> rowOfTool.put(row.get(1), row.get(1)));
        int accepted = 0;
        for (String row : rowOfTool.values()) {
            for (String variant : variants(row)) {
                if (!ENCODERS.identify(variant).shouldUpgrade()
                        || !(Foreign.read(variant) instanceof ParsedHash.Checkable checkable)
                        || checkable.parameters().nanos() > MOST.nanos()) {
                    continue;
                }
                accepted++;
                assertThatCode(() -> ENCODERS.matches("a", variant)).as(variant).doesNotThrowAnyException();
            }
        }
        assertThat(accepted).isGreaterThan(1000);
    }

    private static List<String> variants(String row) {
        List<String> variants = new ArrayList<>();
        for (Matcher number = NUMBER.matcher(row); number.find(); ) {
            for (String other : NUMBERS) {
                variants.add(row.substring(0, number.start()) + other + row.substring(number.end()));
            }
        }
        for (Matcher field = FIELD.matcher(row); field.find(); ) {
            String text = field.group();
            for (String other : List.of(
                    "",
                    "=",
                    "A",
                    "AA==",
                    text.substring(1),
                    text + text,
                    "é",
                    "\ud800",
                    text.toLowerCase(Locale.ROOT))) {
                variants.add(row.substring(0, field.start()) + other + row.substring(field.end()));
            }
        }
        return variants;
    }

    /** RFC 7914 section 2: N is less than 2^(128 r / 8). */
    @ParameterizedTest
    @CsvSource({"15, 1, 1, true", "16, 1, 1, false", "17, 1, 1, false", "16, 2, 1, true", "1, 1, 255, true"})
    void scryptRowWhoseTableIsTooLargeForItsBlocks_isDamaged(int log2n, int r, int p, boolean accepted) {
        String row = String.format("$scrypt$ln=%d,r=%d,p=%d$c2FsdHNhbHQ$%s", log2n, r, p, "A".repeat(43));
        String springs = String.format("{scrypt}$%x$c2FsdHNhbHQ=$%s=", (log2n << 16) | (r << 8) | p, "A".repeat(43));

        for (String text : List.of(row, springs)) {
            assertThat(ENCODERS.identify(text).shouldUpgrade()).isEqualTo(accepted);
            assertThat(ENCODERS.matches("a", text)).isFalse();
        }
    }

    /** The least of each kind, as the greatest take seconds; for r = 1 there is none. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "argon2id:m=7168,t=5,p=1",
                "argon2id:m=7168,t=5,p=64",
                "scrypt:ln=15,r=2,p=10",
                "scrypt:ln=9,r=255,p=6",
                "bcrypt:cost=10",
                "pbkdf2-sha512:i=220000"
            })
    void settingThatIsAccepted_hashes_andReadsItsOwnHash(String spec) {
        PasswordEncoders encoders = ENCODERS.withDefault(HashSpec.of(spec));
        String stored = encoders.encode("a");

        assertThat(encoders.matches("a", stored)).isTrue();
        assertThat(encoders.matchesNobody("a")).isFalse();
        assertThat(encoders.upgradeEncoding(stored)).isFalse();
    }

    /** All settings at the boundaries: a rejected setting has a reason, and an accepted setting makes a readable row. */
    @Test
    void settingThatIsAccepted_isARowThatIsAccepted() {
        int[] numbers = {-1, 0, 1, 2, 8, 15, 16, 17, 20, 24, 64, 65, 255, 256, 7168, 19456, 1 << 20, Integer.MAX_VALUE};
        List<HashSpec> accepted = new ArrayList<>();
        for (int first : numbers) {
            for (int second : numbers) {
                for (int third : numbers) {
                    addIfAccepted(accepted, "argon2id:m=" + first + ",t=" + second + ",p=" + third);
                    addIfAccepted(accepted, "scrypt:ln=" + first + ",r=" + second + ",p=" + third);
                }
            }
        }
        PasswordEncoders identifying = PasswordEncoders.identifyingOnly(HashSpec.of("bcrypt"));
        for (HashSpec spec : accepted) {
            String row = "$" + spec.parameters().algorithm()
                    + (spec.parameters().algorithm().equals("argon2id") ? "$v=19$" : "$")
                    + spec.parameters().costText() + "$c29tZXNhbHRvZm1pbmUhIQ$" + "A".repeat(43);
            assertThat(identifying.identify(row).shouldUpgrade()).as(row).isTrue();
        }
        assertThat(accepted).hasSizeGreaterThan(50);
    }

    private static void addIfAccepted(List<HashSpec> accepted, String spec) {
        try {
            accepted.add(HashSpec.of(spec));
        } catch (IllegalArgumentException e) {
            assertThat(e.getMessage()).isNotBlank();
        }
    }
}
