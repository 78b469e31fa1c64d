package dev.latchkey.auth.password;

import java.util.Objects;
import java.util.Set;

/** Encoders whose new hashes cost next to nothing, for tests of everything but the cost. */
final class Cheap {

    private Cheap() {}

    static PasswordEncoders encoders() {
        return PasswordEncoders.writing(bcrypt());
    }

    /** What a row is, by the formats that encoders read; fails for a text of none. */
    static Reading read(String row) {
        Reading reading = new HashFormats(MemoryPermits.quarterOfHeap(), Set.of(DangerousFormat.values())).read(row);
        return Objects.requireNonNull(reading, row);
    }

    /** bcrypt of cost 4, which is below the floor. */
    static HashSpec bcrypt() {
        return HashSpec.unchecked(BcryptFormat.parameters(4), permits -> BcryptFormat.writing(4));
    }

    static HashSpec pbkdf2() {
        return HashSpec.unchecked(
                Pbkdf2Format.Prf.SHA256.parameters(10), permits -> Pbkdf2Format.writing(Pbkdf2Format.Prf.SHA256, 10));
    }

    static HashSpec argon2id() {
        return HashSpec.unchecked(
                Argon2Format.parameters("argon2id", 64, 1, 1), permits -> new Argon2Format(permits).writing(64, 1, 1));
    }

    static HashSpec scrypt() {
        return HashSpec.unchecked(
                ScryptFormat.parameters(4, 8, 1), permits -> new ScryptFormat(permits).writing(4, 8, 1));
    }
}
