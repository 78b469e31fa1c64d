package dev.latchkey.auth.password;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.password.HashInfo.Standing;
import dev.latchkey.auth.password.hash.Base64Alphabet;
import dev.latchkey.auth.password.hash.Pbkdf2Format.Prf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.crypto.generators.SCrypt;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A truncated hash: in PBKDF2 and scrypt, a part of a hash looks like a hash. */
class CutHashTest {

    private static final PasswordEncoders ENCODERS = Foreign.encoders();

    static List<String> hashesOfTheLetterA() {
        List<String> rows = new ArrayList<>(RealToolHashesTest.hashes().stream()
                .filter(made -> made.password().equals("a"))
                .map(RealToolHashesTest.MadeHash::hash)
                .toList());
        for (HashSpec spec : PasswordEncodersTest.specs()) {
            rows.add(ENCODERS.withDefault(spec).encode("a"));
        }
        return rows;
    }

    /** As in a narrow column, or after an incomplete copy. */
    @ParameterizedTest
    @MethodSource("hashesOfTheLetterA")
    void hashThatWasCutAnywhere_matchesNothing(String whole) {
        PasswordEncoders quick = ENCODERS.withDefault(Cheap.pbkdf2());
        String unpadded = whole.replaceFirst("=+$", "");

        assertThat(quick.matches("a", whole)).isTrue();
        for (int length = unpadded.length() - 1; length > 0; length--) {
            String cut = whole.substring(0, length);
            assertThat(quick.matches("a", cut)).as(cut).isFalse();
        }
    }

    /** Each is a true part of the derived key, or more of it than any tool writes. */
    @ParameterizedTest
    @CsvSource({
        "'$pbkdf2-sha256$i=10$', SHA-256, 31, false",
        "'$pbkdf2-sha256$i=10$', SHA-256, 32, true",
        "'$pbkdf2-sha256$i=10$', SHA-256, 33, false",
        "'$pbkdf2-sha256$i=10,l=32$', SHA-256, 32, true",
        "'$pbkdf2-sha256$i=10,l=64$', SHA-256, 32, false",
        "'$pbkdf2-sha512$i=10$', SHA-512, 32, true",
        "'$pbkdf2-sha512$i=10,l=64$', SHA-512, 32, false",
        "'$pbkdf2-sha512$i=10,l=64$', SHA-512, 64, true",
        "'$pbkdf2-sha512$i=10$', SHA-512, 63, false",
        "'$pbkdf2-sha512$10$', SHA-512, 64, true",
        "'$pbkdf2-sha512$10$', SHA-512, 32, false",
        "'$pbkdf2-sha1$i=10$', SHA-1, 20, true",
        "'$pbkdf2-sha1$i=10$', SHA-1, 16, false",
        "'pbkdf2_sha256$10$', SHA-256, 32, true",
        "'pbkdf2_sha256$10$', SHA-256, 16, false"
    })
    void derivedKeyOfALengthThatNoToolWrites_isDamaged(String start, String digest, int bytes, boolean whole) {
        byte[] salt = "saltsalt".getBytes(StandardCharsets.US_ASCII);
        byte[] derived = pbkdf2(digest).derive(new byte[] {'a'}, salt, 10, bytes);
        String saltText = start.startsWith("$") ? Base64Alphabet.STANDARD.encode(salt) : "saltsalt";
        Base64Alphabet alphabet =
                start.endsWith("$10$") && start.startsWith("$") ? Base64Alphabet.DOTTED : Base64Alphabet.STANDARD;
        String row = start + saltText + "$" + alphabet.encode(derived);

        assertThat(ENCODERS.matches("a", row)).isEqualTo(whole);
        assertThat(ENCODERS.identify(row).standing()).isEqualTo(whole ? Standing.UPGRADE : Standing.REFUSED);
    }

    private static Prf pbkdf2(String digest) {
        return switch (digest) {
            case "SHA-1" -> Prf.SHA1;
            case "SHA-256" -> Prf.SHA256;
            default -> Prf.SHA512;
        };
    }

    /** Spring's {@code SCryptPasswordEncoder} may have been told to write 64 bytes. */
    @ParameterizedTest
    @CsvSource({"31, false", "32, true", "33, false", "48, false", "64, true"})
    void scryptOfALengthThatNoToolWrites_isDamaged(int bytes, boolean whole) {
        byte[] salt = "saltsaltsaltsalt".getBytes(StandardCharsets.US_ASCII);
        byte[] hash = SCrypt.generate(new byte[] {'a'}, salt, 16, 8, 1, bytes);
        String row =
                "{scrypt}$40801$" + Base64Alphabet.STANDARD.encode(salt) + "$" + Base64Alphabet.STANDARD.encode(hash);

        assertThat(ENCODERS.matches("a", row)).isEqualTo(whole);
    }
}
