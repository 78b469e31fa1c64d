package dev.latchkey.auth.password.migration.policy;

import dev.latchkey.auth.Secret;
import java.security.SecureRandom;

/**
 * Generates random passwords in groups of five characters. The 32 characters exclude similar ones ({@code l 1 o 0}).
 *
 * <p>Each character carries exactly five bits, with equal probability. Safe for use by any number of threads.
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
     * Generates passwords of 100 bits: twenty characters, safe from guessing even with a fast hash.
     *
     * @return a generator
     */
    public static PasswordGenerator recommended() {
        return ofEntropyBits(RECOMMENDED_BITS);
    }

    /**
     * Generates passwords with this entropy, rounded up to a whole character.
     *
     * @param bits 64 to 512
     * @return a generator
     * @throws IllegalArgumentException if the number is outside the range
     */
    public static PasswordGenerator ofEntropyBits(int bits) {
        if (bits < LEAST_BITS || bits > GREATEST_BITS) {
            throw new IllegalArgumentException("A generated password has between " + LEAST_BITS + " and "
                    + GREATEST_BITS + " bits of entropy, got " + bits);
        }
        return new PasswordGenerator((bits + BITS_PER_CHARACTER - 1) / BITS_PER_CHARACTER);
    }

    /**
     * Generates a password with a {@link SecureRandom}.
     *
     * @return a new password each time; the caller wipes the secret
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
