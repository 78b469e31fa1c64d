package dev.latchkey.auth.password;

import dev.latchkey.auth.password.hash.Argon2Format;
import dev.latchkey.auth.password.hash.BcryptFormat;
import dev.latchkey.auth.password.hash.Parameters;
import dev.latchkey.auth.password.hash.Pbkdf2Format;
import dev.latchkey.auth.password.hash.ScryptFormat;

/** Encoders with nearly free hashes, for tests of everything but the cost. */
public final class Cheap {

    private Cheap() {}

    public static PasswordEncoders encoders() {
        return PasswordEncoders.writing(bcrypt());
    }

    /** bcrypt of cost 4, which is below the floor. */
    public static HashSpec bcrypt() {
        return HashSpec.unchecked(Parameters.of("bcrypt", "cost", 4), permits -> BcryptFormat.writing(4));
    }

    public static HashSpec pbkdf2() {
        return HashSpec.unchecked(
                Pbkdf2Format.Prf.SHA256.parameters(10), permits -> Pbkdf2Format.writing(Pbkdf2Format.Prf.SHA256, 10));
    }

    public static HashSpec argon2id() {
        return HashSpec.unchecked(
                Parameters.of("argon2id", "m", 64).and("t", 1).and("p", 1),
                permits -> new Argon2Format(permits).writing(64, 1, 1));
    }

    public static HashSpec scrypt() {
        return HashSpec.unchecked(
                Parameters.of("scrypt", "ln", 4).and("r", 8).and("p", 1),
                permits -> new ScryptFormat(permits).writing(4, 8, 1));
    }
}
