package dev.latchkey.auth.password.migration.policy;

import dev.latchkey.auth.password.PasswordEncoders;
import dev.latchkey.auth.password.PasswordProblem;
import dev.latchkey.auth.password.PresentedPassword;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What a new password must be: long, and not one that is tried first. There are no rules of composition and there is no expiry, after NIST SP
 * 800-63B-4 section 3.1.1, since they make passwords alike.
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
     * At least 15 characters, as NIST asks for where the password is all there is.
     *
     * @return with no rule of one's own
     */
    public static PasswordPolicy recommended() {
        return ofMinLength(NIST_LENGTH);
    }

    /**
     * At least this many characters; 8 is enough only beside a second factor.
     *
     * @param characters code points, 8 to 64
     * @return for passwords of at most 1024 bytes
     * @throws IllegalArgumentException if that is fewer or more
     */
    public static PasswordPolicy ofMinLength(int characters) {
        if (characters < LEAST_LENGTH || characters > GREATEST_LENGTH) {
            throw new IllegalArgumentException("The shortest password has between " + LEAST_LENGTH + " and "
                    + GREATEST_LENGTH + " characters, got " + characters);
        }
        return new PasswordPolicy(characters, MAX_BYTES, List.of());
    }

    /**
     * The same, refusing what these encoders do not take: under bcrypt, more than 72 bytes.
     *
     * @param encoders that will hash the password
     * @return a changed copy
     */
    public PasswordPolicy within(PasswordEncoders encoders) {
        return new PasswordPolicy(minLength, encoders.maxPasswordBytes(), rules);
    }

    /**
     * The same, with one more rule, which is asked only for passwords that are text within the limits.
     *
     * @param rule asked after those that are there
     * @return a changed copy
     */
    public PasswordPolicy withRule(PasswordRule rule) {
        List<PasswordRule> more = new ArrayList<>(rules);
        more.add(rule);
        return new PasswordPolicy(minLength, maxBytes, List.copyOf(more));
    }

    /**
     * All that is wrong with this password.
     *
     * @param password as somebody chose it; it is not kept
     * @param aboutTheAccount what an attacker knows of it: user name, mail address, name of the service
     * @return empty if the password may be taken
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

    /** Whether the password has a few characters only, or is a short piece over and over. */
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
