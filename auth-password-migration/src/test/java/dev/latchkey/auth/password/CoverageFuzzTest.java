package dev.latchkey.auth.password;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.latchkey.auth.password.HashInfo.Standing;
import dev.latchkey.auth.password.hash.HashFormat;
import dev.latchkey.auth.password.hash.MemoryPermits;
import dev.latchkey.auth.password.hash.ParsedHash;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A coverage-guided search from the hashes of real tools; a build tries the findings with {@link KeptInputsTest}. No row
 * throws, and an unreadable row matches nothing.
 */
@Tag("fuzz")
class CoverageFuzzTest {

    /** A costlier row is read and not checked: the search is about content, not costs. */
    private static final double CHEAP_NANOS = 20_000;

    private static final int TELLING_CHARACTERS = 20;

    private static final MemoryPermits PERMITS = MemoryPermits.ofBytes(1 << 20);

    private static final HashFormat FORMATS = Foreign.formats(Foreign.allDangerous(), PERMITS);

    /** The same formats behind the public door. */
    private static final PasswordEncoders ENCODERS = everyFormat();

    static List<byte[]> rows() {
        return RealToolHashesTest.hashes().stream()
                .map(made -> made.hash().getBytes(StandardCharsets.UTF_8))
                .toList();
    }

    /** Reading alone, without a hash: an execution is as cheap as reading. */
    @MethodSource("rows")
    @FuzzTest(maxDuration = "", maxExecutions = 5_000_000)
    @DictionaryEntries({
        "{bcrypt}",
        "{ldap}",
        "{SSHA512}",
        "{PBKDF2-SHA512}",
        "{CRYPT}",
        "{pepper@",
        "$argon2id$v=19$m=8,t=1,p=1$",
        "$pbkdf2-sha256$i=10,l=32$",
        "$scrypt$ln=4,r=8,p=1$",
        "rounds=",
        "pbkdf2:sha256:10$",
        "grub.pbkdf2.sha512.10.",
        "SCRAM-SHA-256$10:",
        "$fbscrypt$",
        "{FSHP1|8|10}",
        "\"hashIterations\":"
    })
    void row(byte[] row) {
        textsOf(row).forEach(CoverageFuzzTest::read);
    }

    /** Passwords against a readable and cheap row. Slower by far, because each mismatch costs a hash. */
    @MethodSource("rows")
    @FuzzTest(maxDuration = "", maxExecutions = 5_000_000)
    void checkedRow(byte[] row) {
        textsOf(row).forEach(CoverageFuzzTest::check);
    }

    /** In both charsets, if these differ. */
    private static List<String> textsOf(byte[] row) {
        String text = new String(row, StandardCharsets.UTF_8);
        for (byte b : row) {
            if (b < 0) {
                return List.of(text, new String(row, StandardCharsets.ISO_8859_1));
            }
        }
        return List.of(text);
    }

    private static void read(String row) {
        HashInfo info = ENCODERS.identify(row);
        require(row.length() <= TELLING_CHARACTERS || !info.toString().contains(row), "says what the row holds");
        require(!isRead(info) || FORMATS.read(row) instanceof ParsedHash.Checkable, "identified, and not read");
    }

    private static void check(String row) {
        ParsedHash reading = FORMATS.read(row);
        boolean isCheap = !(reading instanceof ParsedHash.Checkable checkable)
                || (checkable.nanos(1) >= 0 && checkable.nanos(1) <= CHEAP_NANOS);
        if (isCheap && ENCODERS.matches("a", row)) {
            require(isRead(ENCODERS.identify(row)), "not read, and matches");
            require(!ENCODERS.matches("b", row), "matches two passwords");
        }
    }

    private static boolean isRead(HashInfo info) {
        return info.standing() == Standing.CURRENT || info.standing() == Standing.UPGRADE;
    }

    private static PasswordEncoders everyFormat() {
        return PasswordEncoders.writing(Cheap.pbkdf2())
                .reading(Foreign.allDangerous())
                .withMemoryPermits(PERMITS);
    }

    private static void require(boolean promise, String otherwise) {
        if (!promise) {
            throw new AssertionError(otherwise);
        }
    }
}
