package dev.latchkey.auth.spring.encoding;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.password.HashSpec;
import dev.latchkey.auth.password.MissingLibraryException;
import dev.latchkey.auth.password.PasswordEncoders;
import dev.latchkey.auth.password.Pepper;
import dev.latchkey.auth.password.hash.BouncyCastle;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** The encoders of {@code latchkey.password}. Wrong settings stop the start with a message. */
final class EncodingSettings {

    /** BCrypt needs no library and little memory, so it stands in until the other settings are known. */
    private static final HashSpec MODEST = HashSpec.of("bcrypt");

    private EncodingSettings() {}

    /**
     * @throws LatchkeyConfigurationException for an unknown encoding, or a missing library, key or memory
     */
    static PasswordEncoders encoders(PasswordProperties properties) {
        String encoding = Objects.requireNonNull(properties.encoding());
        HashSpec spec = spec(encoding);
        PasswordEncoders encoders = MigrationModule.addTo(reading());
        try {
            encoders = encoders.withDefault(spec);
        } catch (MissingLibraryException e) {
            throw new LatchkeyConfigurationException(
                    "latchkey.password.encoding is " + encoding + ", which needs " + e.artifact()
                            + ", and that is not on the class path",
                    "Add the dependency " + e.artifact() + ", or choose bcrypt or pbkdf2-sha256.");
        } catch (IllegalArgumentException e) {
            throw new LatchkeyConfigurationException(
                    "latchkey.password.encoding: " + e.getMessage(), "Raise the heap (-Xmx), or choose lower costs.");
        }
        if (!properties.pepperFiles().isEmpty()) {
            encoders = encoders.withPepper(pepper(properties));
        }
        return properties.unicodeNormalization() ? encoders.withUnicodeNormalization() : encoders;
    }

    private static HashSpec spec(String encoding) {
        try {
            return HashSpec.of(encoding);
        } catch (IllegalArgumentException e) {
            throw new LatchkeyConfigurationException(
                    "latchkey.password.encoding is '" + encoding + "': " + e.getMessage(),
                    "Set latchkey.password.encoding to argon2id, scrypt, bcrypt, pbkdf2-sha256 or pbkdf2-sha512, with costs as in"
                            + " bcrypt:cost=12 or without.");
        }
    }

    private static PasswordEncoders reading() {
        return BouncyCastle.isPresent()
                ? PasswordEncoders.writing(MODEST)
                : PasswordEncoders.writingWithoutBouncyCastle(MODEST);
    }

    private static Pepper pepper(PasswordProperties properties) {
        try {
            String present = properties.pepper();
            Pepper pepper = Pepper.onlyOld();
            if (present != null) {
                try (Secret key = read(properties, present)) {
                    pepper = Pepper.of(present, key);
                }
            }
            Set<String> old = new TreeSet<>(properties.pepperFiles().keySet());
            old.removeIf(name -> name.equals(present));
            for (String name : old) {
                try (Secret key = read(properties, name)) {
                    pepper = pepper.andOld(name, key);
                }
            }
            return pepper;
        } catch (IllegalArgumentException e) {
            throw new LatchkeyConfigurationException(
                    "latchkey.password.pepper: " + e.getMessage(),
                    "Give each pepper a name of its own, as 2026a; hashes of old ones name them.");
        }
    }

    private static Secret read(PasswordProperties properties, String name) {
        return PepperFile.read(
                "latchkey.password.pepper-files." + name,
                Objects.requireNonNull(properties.pepperFiles().get(name)));
    }
}
