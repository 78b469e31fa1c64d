package dev.latchkey.auth.spring.encoding;

import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * How passwords are stored, under {@code latchkey.password.*}.
 *
 * @param encoding how new passwords are hashed: argon2id, scrypt, bcrypt, pbkdf2-sha256 or pbkdf2-sha512, with costs behind a colon or
 *     the recommended ones; no encoder where it is not set
 * @param pepperFile the file that holds the pepper, a key in Base64 that every password goes through before it is hashed
 * @param pepperId the name of the pepper, which is stored with each hash
 * @param oldPepperFiles files with peppers that are only checked any more, by their names
 * @param unicodeNormalization whether the ways to write a password in Unicode are one password (RFC 8265)
 * @param memory how much all hashes of argon2 and scrypt that run at a time may take; a quarter of the heap where it is not set
 * @param policy what a new password must be; needs auth-password-migration
 * @param upgrade outdated hashes
 */
@ConfigurationProperties("latchkey.password")
public record PasswordProperties(
        @Nullable String encoding,
        @Nullable Path pepperFile,
        @Nullable String pepperId,
        @DefaultValue Map<String, Path> oldPepperFiles,
        @DefaultValue("false") boolean unicodeNormalization,
        @Nullable DataSize memory,
        @DefaultValue Policy policy,
        @DefaultValue Upgrade upgrade) {

    /**
     * Refuses settings that do not fit together.
     *
     * @param encoding needed by all that say how passwords are hashed
     * @param pepperFile needs the pepper's name
     * @param pepperId needs the pepper's file
     * @param oldPepperFiles need a pepper for new hashes
     * @param unicodeNormalization needs an encoding
     * @param memory needs an encoding
     * @param policy none where nothing is set
     * @param upgrade on where nothing is set
     * @throws LatchkeyConfigurationException if something is missing; the message names its property
     */
    public PasswordProperties {
        if ((pepperFile == null) != (pepperId == null)) {
            throw new LatchkeyConfigurationException(
                    "Only one of latchkey.password.pepper-file and latchkey.password.pepper-id is set",
                    "Set both. The name is stored with each hash, and tells later which pepper it was made with.");
        }
        if (!oldPepperFiles.isEmpty() && pepperFile == null) {
            throw new LatchkeyConfigurationException(
                    "latchkey.password.old-pepper-files is set, and latchkey.password.pepper-file is not",
                    "Set latchkey.password.pepper-file and latchkey.password.pepper-id too: new hashes need a pepper.");
        }
        if (policy.minLength() != null && !MigrationModule.isPresent()) {
            throw new LatchkeyConfigurationException(
                    "latchkey.password.policy.min-length is set, and " + MigrationModule.ARTIFACT
                            + ", which has the policy, is not on" + " the class path",
                    "Add the dependency " + MigrationModule.ARTIFACT
                            + ", or leave out latchkey.password.policy.min-length.");
        }
        if (encoding == null && (pepperFile != null || unicodeNormalization || memory != null)) {
            throw new LatchkeyConfigurationException(
                    "latchkey.password says how passwords are hashed, and latchkey.password.encoding is not set",
                    "Set latchkey.password.encoding, to bcrypt say, or leave out the pepper, unicode-normalization and memory.");
        }
    }

    /**
     * What a new password must be.
     *
     * @param minLength of a new password, in characters; 15 where the password is all there is, and no policy where it is not set
     */
    public record Policy(@Nullable Integer minLength) {}

    /**
     * Outdated hashes.
     *
     * @param enabled whether an outdated hash is replaced after the answer to its owner's login, where the service stores replacements
     */
    public record Upgrade(@DefaultValue("true") boolean enabled) {}
}
