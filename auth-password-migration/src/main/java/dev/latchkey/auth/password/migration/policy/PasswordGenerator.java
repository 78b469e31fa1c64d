package dev.latchkey.auth.password.migration.policy;

import dev.latchkey.auth.Secret;
import java.security.SecureRandom;

/**
 * Makes passwords that nobody guesses, in groups of five characters. The 32 characters leave out those that look alike ({@code l 1 o 0}).
 *
 * <p>Each character carries exactly five bits, so none is likelier than another. Safe for use by any number of threads.
 */
public final class PasswordGenerator {

    private static final String CHARACTERS = "abcdefghijkmnpqrstuvwxyz23456789";
    private static final int BITS_PER_CHARACTER = 5;
    private static final int GROUP = 5;
    private static final int LEAST_BITS = 64;
    private static final int GREATEST_BITS = 512;
    private static final int RECOMMENDED_BITS = 100;

    private final SecureRandom random = new SecureRandom();
    private final int characters;

    private PasswordGenerator(int characters) {
        this.characters = characters;
    }

    /**
     * Makes passwords of 100 bits: twenty characters, which no guessing reaches even if the hash is a fast one.
     *
     * @return a generator
     */
    public static PasswordGenerator recommended() {
        return ofEntropyBits(RECOMMENDED_BITS);
    }

    /**
     * Makes passwords of this much entropy, rounded up to a whole character.
     *
     * @param bits 64 to 512
     * @return a generator
     * @throws IllegalArgumentException if that is fewer or more
     */
    public static PasswordGenerator ofEntropyBits(int bits) {
        if (bits < LEAST_BITS || bits > GREATEST_BITS) {
            throw new IllegalArgumentException("A generated password has between " + LEAST_BITS + " and "
                    + GREATEST_BITS + " bits of entropy, got " + bits);
        }
        return new PasswordGenerator((bits + BITS_PER_CHARACTER - 1) / BITS_PER_CHARACTER);
    }

    /**
     * Makes a password from a {@link SecureRandom}.
     *
     * @return a new one each time; its owner wipes it
     */
    public Secret generate() {
        StringBuilder text = new StringBuilder(characters + characters / GROUP);
        for (int i = 0; i < characters; i++) {
            if (i > 0 && i % GROUP == 0) {
                text.append('-');
            }
            text.append(CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
        }
        return Secret.of(text);
    }
}
