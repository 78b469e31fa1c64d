package dev.latchkey.auth.password.migration.policy;

import dev.latchkey.auth.password.PasswordEncoders;
import dev.latchkey.auth.password.PasswordProblem;
import dev.latchkey.auth.password.PresentedPassword;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The rules for a new password: long, and not among the first guesses of attackers. Following NIST SP 800-63B-4 section
 * 3.1.1, there are no rules of composition and no expiry, because both make passwords similar.
 *
 * <p>Immutable, and safe for use by any number of threads if its rules are.
 */
public final class PasswordPolicy {

    private static final int NIST_LENGTH = 15;
    private static final int LEAST_LENGTH = 8;
    private static final int GREATEST_LENGTH = 64;
    private static final int MAX_BYTES = 1024;
    private static final int LEAST_DISTINCT = 5;
    private static final int LEAST_WORD = 4;

    private final int minLength;
    private final int maxBytes;
    private final List<PasswordRule> rules;

    private PasswordPolicy(int minLength, int maxBytes, List<PasswordRule> rules) {
        this.minLength = minLength;
        this.maxBytes = maxBytes;
        this.rules = rules;
    }

    /**
     * At least 15 characters, NIST's minimum for a password as the only factor.
     *
     * @return a policy without custom rules
     */
    public static PasswordPolicy recommended() {
        return ofMinLength(NIST_LENGTH);
    }

    /**
     * At least this many characters; 8 is enough only with a second factor.
     *
     * @param characters code points, 8 to 64
     * @return for passwords of at most 1024 bytes
     * @throws IllegalArgumentException if the number is outside the range
     */
    public static PasswordPolicy ofMinLength(int characters) {
        if (characters < LEAST_LENGTH || characters > GREATEST_LENGTH) {
            throw new IllegalArgumentException("The shortest password has between " + LEAST_LENGTH + " and "
                    + GREATEST_LENGTH + " characters, got " + characters);
        }
        return new PasswordPolicy(characters, MAX_BYTES, List.of());
    }

    /**
     * Returns a copy with the encoders' limit: for bcrypt, 72 bytes.
     *
     * @param encoders used for hashing the password
     * @return a changed copy
     */
    public PasswordPolicy within(PasswordEncoders encoders) {
        return new PasswordPolicy(minLength, encoders.maxPasswordBytes(), rules);
    }

    /**
     * Returns a copy with one more rule. The rule is asked only about text within the limits.
     *
     * @param rule asked after the earlier rules
     * @return a changed copy
     */
    public PasswordPolicy withRule(PasswordRule rule) {
        List<PasswordRule> more = new ArrayList<>(rules);
        more.add(rule);
        return new PasswordPolicy(minLength, maxBytes, List.copyOf(more));
    }

    /**
     * All problems with this password.
     *
     * @param password the chosen password; not kept
     * @param aboutTheAccount facts that an attacker knows: user name, mail address, name of the service
     * @return empty if the password is acceptable
     */
    public List<PasswordProblem> problems(CharSequence password, String... aboutTheAccount) {
        try (PresentedPassword presented = PresentedPassword.of(password, maxBytes)) {
            if (!presented.isAcceptable()) {
                return List.of(presented.problem().orElseThrow());
            }
        }
        List<PasswordProblem> problems = new ArrayList<>();
        if (Character.codePointCount(password, 0, password.length()) < minLength) {
            problems.add(new PasswordProblem("too_short", "At least " + minLength + " characters are needed"));
        }
        if (CommonPasswords.bundled().contains(password)) {
            problems.add(new PasswordProblem("common", "This is one of the passwords that are tried first"));
        }
        if (isRepetitive(password)) {
            problems.add(new PasswordProblem("repetitive", "This repeats the same few characters"));
        }
        if (isAbout(password, aboutTheAccount)) {
            problems.add(
                    new PasswordProblem("about_the_account", "This is little more than what is known of the account"));
        }
        for (PasswordRule rule : rules) {
            Optional<PasswordProblem> problem = rule.problemWith(password);
            problem.ifPresent(problems::add);
        }
        return List.copyOf(problems);
    }

    /** Whether the password has only a few different characters, or repeats a short part. */
    private static boolean isRepetitive(CharSequence password) {
        String text = password.toString();
        if (text.codePoints().distinct().count() < LEAST_DISTINCT) {
            return true;
        }
        for (int piece = 1; piece <= text.length() / 3; piece++) {
            if (text.startsWith(text.substring(piece))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isAbout(CharSequence password, String... aboutTheAccount) {
        String text = password.toString().toLowerCase(Locale.ROOT);
        for (String word : aboutTheAccount) {
            String lower = word.toLowerCase(Locale.ROOT);
            if (lower.length() >= LEAST_WORD
                    && text.contains(lower)
                    && text.replace(lower, "").length() < LEAST_LENGTH) {
                return true;
            }
        }
        return false;
    }
}
