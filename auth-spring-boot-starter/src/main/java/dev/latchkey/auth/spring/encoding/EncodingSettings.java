package dev.latchkey.auth.spring.encoding;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.password.HashSpec;
import dev.latchkey.auth.password.MissingLibraryException;
import dev.latchkey.auth.password.PasswordEncoders;
import dev.latchkey.auth.password.Pepper;
import dev.latchkey.auth.password.hash.MemoryPermits;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The encoders that {@code latchkey.password} asks for; what they refuse stops the start and says what to write. */
final class EncodingSettings {

    private static final Logger LOG = LoggerFactory.getLogger(EncodingSettings.class);

    /** Needs no library and no memory: what there is until the rest of the settings is known. */
    private static final HashSpec MODEST = HashSpec.of("bcrypt");

    private EncodingSettings() {}

    /** @throws LatchkeyConfigurationException if there is no such encoding, or a library, a key or the memory for it is missing */
    static PasswordEncoders encoders(PasswordProperties properties) {
        String encoding = Objects.requireNonNull(properties.encoding());
        HashSpec spec = spec(encoding);
        PasswordEncoders encoders = withMemory(reading(), properties).reading(MigrationModule.formats());
        try {
            encoders = encoders.withDefault(spec);
        } catch (MissingLibraryException e) {
            throw new LatchkeyConfigurationException(
                    "latchkey.password.encoding is " + encoding + ", which needs " + e.artifact()
                            + ", and that is not on the class path",
                    "Add the dependency " + e.artifact() + ", or choose bcrypt or pbkdf2-sha256.");
        } catch (IllegalArgumentException e) {
            throw new LatchkeyConfigurationException(
                    "latchkey.password.encoding: " + e.getMessage(),
                    "Raise latchkey.password.memory or the heap (-Xmx), or choose lower costs.");
        }
        if (properties.pepperFile() != null) {
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
        try {
            return PasswordEncoders.writing(MODEST);
        } catch (MissingLibraryException e) {
            LOG.info("Stored hashes of argon2 and scrypt match no password: that needs {}", e.artifact());
            return PasswordEncoders.writingWithoutBouncyCastle(MODEST);
        }
    }

    private static PasswordEncoders withMemory(PasswordEncoders encoders, PasswordProperties properties) {
        if (properties.memory() == null) {
            return encoders;
        }
        try {
            return encoders.withMemoryPermits(
                    MemoryPermits.ofBytes(properties.memory().toBytes()));
        } catch (IllegalArgumentException e) {
            throw new LatchkeyConfigurationException(
                    "latchkey.password.memory: " + e.getMessage(),
                    "Set latchkey.password.memory to what several hashes take, 256MB say, or leave it out.");
        }
    }

    private static Pepper pepper(PasswordProperties properties) {
        try {
            Path file = Objects.requireNonNull(properties.pepperFile());
            Pepper pepper;
            try (Secret key = PepperFile.read("latchkey.password.pepper-file", file)) {
                pepper = Pepper.of(Objects.requireNonNull(properties.pepperId()), key);
            }
            for (Map.Entry<String, Path> old : new TreeMap<>(properties.oldPepperFiles()).entrySet()) {
                try (Secret key =
                        PepperFile.read("latchkey.password.old-pepper-files." + old.getKey(), old.getValue())) {
                    pepper = pepper.andOld(old.getKey(), key);
                }
            }
            return pepper;
        } catch (IllegalArgumentException e) {
            throw new LatchkeyConfigurationException(
                    "latchkey.password.pepper-id: " + e.getMessage(),
                    "Give each pepper a name of its own, as 2026a; hashes of old ones name them.");
        }
    }
}
