package dev.latchkey.auth.password.hash;

import java.security.MessageDigest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * bcrypt's {@code $2b$10$salthash}, with different rules for different writers.
 *
 * <p>bcrypt cuts a password at 72 bytes. This library writes {@code {bcrypt}$2b$} and rejects longer new passwords.
 * Therefore a longer password cannot be right for such a hash and is rejected. All other forms ({@code $2a$} of Spring,
 * {@code $2y$} of PHP and htpasswd, a bare {@code $2b$} of Python) may belong to a longer password. The user presents
 * the whole password, and the first 72 bytes decide. Such hashes keep matching until their replacement.
 *
 * <p>Immutable, and safe for use by any number of threads.
 */
public final class BcryptFormat implements HashFormat {

    /** OWASP's minimum cost. */
    public static final int MIN_COST = 10;

    /** The highest cost for reading and writing: 64 times the work of cost 10, about three seconds of one core. */
    public static final int MAX_COST = 16;

    private static final String ALGORITHM = "bcrypt";
    private static final Pattern TEXT =
            Pattern.compile("\\$2([abxy])\\$([0-9]{2})\\$([./A-Za-z0-9]{22})([./A-Za-z0-9]{31})");
    private static final int LOWEST_COST = 4;

    /** The rule for passwords of more than 72 bytes at a {@code $2b$} hash. */
    public enum LongPasswords {
        /** A longer password matches nothing, because such a password was never hashed. */
        REFUSED,
        /** A longer password matches by its first 72 bytes, because another system may have cut the password. */
        CUT
    }

    private final LongPasswords longPasswords;

    /**
     * Reads hashes with this rule for long passwords.
     *
     * @param longPasswords the rule for a longer password at a {@code $2b$} hash
     */
    public BcryptFormat(LongPasswords longPasswords) {
        this.longPasswords = longPasswords;
    }

    @Override
    public @Nullable ParsedHash read(String text) {
        if (!text.startsWith("$2")) {
            return null;
        }
        Matcher fields = TEXT.matcher(text);
        if (!fields.matches()) {
            return ParsedHash.damaged(ALGORITHM);
        }
        if (fields.group(1).equals("x")) {
            return new ParsedHash.Refused(
                    ALGORITHM,
                    "$2x$ marks hashes of a faulty implementation, under which different passwords are equal");
        }
        int cost = HashText.number(fields.group(2));
        if (cost < LOWEST_COST || cost > 31) {
            return ParsedHash.damaged(ALGORITHM);
        }
        if (cost > MAX_COST) {
            return ParsedHash.beyond(ALGORITHM, "cost " + MAX_COST);
        }
        byte[] salt = Base64Alphabet.BCRYPT.decode(fields.group(3));
        byte[] hash = Base64Alphabet.BCRYPT.decode(fields.group(4));
        if (salt == null || hash == null) {
            return ParsedHash.damaged(ALGORITHM);
        }
        boolean refusesLong =
                longPasswords == LongPasswords.REFUSED && fields.group(1).equals("b");
        return new ParsedHash.Checkable(
                parameters(cost),
                Growth.none(),
                password -> MessageDigest.isEqual(hash, Bcrypt.hash(password, salt, cost))
                        && !(refusesLong && password.length > Bcrypt.MAX_PASSWORD_BYTES),
                longPasswords == LongPasswords.CUT ? "of another system, which may have cut the password" : "");
    }

    /**
     * Checks the cost of new hashes.
     *
     * @param cost {@link #MIN_COST} to {@link #MAX_COST}
     * @return bcrypt with this cost
     * @throws IllegalArgumentException below the floor or above the ceiling
     */
    public static Parameters checkedParameters(int cost) {
        if (cost < MIN_COST || cost > MAX_COST) {
            throw new IllegalArgumentException(
                    "bcrypt needs a cost of " + MIN_COST + " to " + MAX_COST + ", got " + cost);
        }
        return parameters(cost);
    }

    private static Parameters parameters(int cost) {
        return Parameters.of(ALGORITHM, "cost", cost);
    }

    /**
     * New hashes, with {@code $2b$}.
     *
     * @param cost checked by {@link #checkedParameters}
     * @return a scheme for passwords of at most 72 bytes
     */
    public static Scheme writing(int cost) {
        return new Scheme(
                parameters(cost),
                ALGORITHM,
                Bcrypt.MAX_PASSWORD_BYTES,
                0,
                (password, salt) -> "$2b$" + (cost < 10 ? "0" : "") + cost + "$"
                        + Base64Alphabet.BCRYPT.encode(salt)
                        + Base64Alphabet.BCRYPT.encode(Bcrypt.hash(password, salt, cost)),
                Scheme.halving(cost, LOWEST_COST, (lower, password, salt) -> Bcrypt.hash(password, salt, lower)));
    }
}
