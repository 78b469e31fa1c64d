package dev.latchkey.auth.spring.encoding;

import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How passwords are stored: {@code latchkey.password.*}.
 *
 * @param encoding the hash for new passwords: argon2id, scrypt, bcrypt, pbkdf2-sha256 or pbkdf2-sha512, with costs after a colon
 *     or the recommended costs; no encoder by default
 * @param pepper the name of the pepper for new hashes, stored with each hash; no pepper by default
 * @param pepperFiles the files with the peppers, keys in Base64, by name; every password goes through its pepper before the hash. A pepper that is not
 *     the one of new hashes is only checked, so a pepper can be on all nodes before its first hash
 * @param unicodeNormalization whether different Unicode forms of a password are equal (RFC 8265)
 * @param policy rules for new passwords; needs auth-password-migration
 */
@ConfigurationProperties("latchkey.password")
public record PasswordProperties(
        @Nullable String encoding,
        @Nullable String pepper,
        @DefaultValue Map<String, Path> pepperFiles,
        @DefaultValue("false") boolean unicodeNormalization,
        @DefaultValue Policy policy) {

    /**
     * Checks that the settings fit together.
     *
     * @param encoding required by all other settings of hashing
     * @param pepper requires a file of this name
     * @param pepperFiles require an encoding
     * @param unicodeNormalization requires an encoding
     * @param policy no policy by default
     * @throws LatchkeyConfigurationException if a setting is missing; the message names its property
     */
    public PasswordProperties {
        if (pepper != null && !pepperFiles.containsKey(pepper)) {
            throw new LatchkeyConfigurationException(
                    "latchkey.password.pepper names no file of latchkey.password.pepper-files",
                    "Set latchkey.password.pepper-files." + pepper + " to the file that holds this pepper.");
        }
        if (policy.minLength() != null && !MigrationModule.isPresent()) {
            throw new LatchkeyConfigurationException(
                    "latchkey.password.policy.min-length is set, and " + MigrationModule.ARTIFACT
                            + ", which has the policy, is not on" + " the class path",
                    "Add the dependency " + MigrationModule.ARTIFACT
                            + ", or leave out latchkey.password.policy.min-length.");
        }
        if (encoding == null && (!pepperFiles.isEmpty() || unicodeNormalization)) {
            throw new LatchkeyConfigurationException(
                    "latchkey.password says how passwords are hashed, and latchkey.password.encoding is not set",
                    "Set latchkey.password.encoding, to bcrypt say, or leave out the pepper and unicode-normalization.");
        }
    }

    /**
     * Rules for new passwords.
     *
     * @param minLength the minimal length in characters; 15 is advised for passwords without a second factor; no policy by
     *     default
     */
    public record Policy(@Nullable Integer minLength) {}
}
