package dev.latchkey.nacos;

import dev.latchkey.auth.cache.CachingPasswordEncoder;
import java.security.SecureRandom;
import java.util.function.BiPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * Compares a password with a stored hash of Nacos, at the same cost with and without a stored hash.
 *
 * <p>Without a usable hash, a hash with the last known cost is computed anyway: the response time does not reveal
 * existing users. A stored cost above {@value #HIGHEST_COST} was not written by the server, and is not computed: a
 * changed row must not occupy a processor for hours.
 *
 * <p>Safe for use by any number of threads if the encoder is.
 */
final class BcryptCheck {

    /** The default cost of {@link BCryptPasswordEncoder}, and of the server. */
    private static final int USUAL_COST = 10;

    private static final int HIGHEST_COST = 16;

    /** More characters than bcrypt's limit in bytes; the server rejects longer passwords too. */
    private static final int LONGEST_PASSWORD = 72;

    private static final Pattern HASH = Pattern.compile("\\$2[aby]\\$(\\d\\d)\\$[./0-9A-Za-z]{53}");
    private static final String ALPHABET = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    private static final int SALT_AND_DIGEST = 53;

    private final PasswordEncoder encoder;
    private final BiPredicate<String, String> anew;
    private final String nobody;
    private volatile int lastCost = USUAL_COST;

    /** @param encoder for bcrypt, behind the limit on concurrent hashes */
    BcryptCheck(PasswordEncoder encoder) {
        this.encoder = encoder;
        this.anew = encoder instanceof CachingPasswordEncoder caching ? caching::matchesAnew : encoder::matches;
        this.nobody = randomText(new SecureRandom());
    }

    /** Whether the password is right; without a stored hash always false, after computing a hash. */
    boolean matches(String password, @Nullable String storedHash) {
        return matches(password, storedHash, encoder::matches);
    }

    /** As {@link #matches}, but always computes a hash. */
    boolean matchesAnew(String password, String storedHash) {
        return matches(password, storedHash, anew);
    }

    private boolean matches(String password, @Nullable String storedHash, BiPredicate<String, String> by) {
        int cost = storedHash == null ? -1 : costOf(storedHash);
        if (storedHash != null && cost >= 0 && password.length() <= LONGEST_PASSWORD) {
            lastCost = cost;
            return by.test(password, storedHash);
        }
        String cut = password.substring(0, Math.min(password.length(), LONGEST_PASSWORD));
        encoder.matches(cut, "$2a$" + (lastCost < 10 ? "0" : "") + lastCost + "$" + nobody);
        return false;
    }

    /** The cost; -1 for a malformed hash, or a cost outside the limits. */
    private static int costOf(String storedHash) {
        Matcher hash = HASH.matcher(storedHash);
        if (!hash.matches()) {
            return -1;
        }
        int cost = Integer.parseInt(hash.group(1));
        return cost >= 4 && cost <= HIGHEST_COST ? cost : -1;
    }

    /** A random salt and digest without a known password: finding one would require inverting bcrypt. */
    private static String randomText(SecureRandom random) {
        StringBuilder text = new StringBuilder(SALT_AND_DIGEST);
        for (int i = 0; i < SALT_AND_DIGEST; i++) {
            text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return text.toString();
    }
}
