package dev.latchkey.auth.password;

import dev.latchkey.auth.password.hash.Parameters;
import dev.latchkey.auth.password.hash.ParsedHash;
import dev.latchkey.auth.password.hash.Scheme;
import org.jspecify.annotations.Nullable;

/**
 * Checks a password against a stored value so that every "no" takes the work of a new hash, whatever the reason: a wrong password, one that nobody
 * can have, a row that nobody wrote, or no row at all.
 *
 * <p>The work that the check of the row has taken is not done again. A row that is dearer than a new hash takes longer. A "yes" ends with its row:
 * whoever hears it knows the password. Immutable.
 */
final class EvenCheck {

    /** Hashed for its work alone, where the answer is known to be no. */
    private static final byte[] STAND_IN = {'s', 't', 'a', 'n', 'd', '-', 'i', 'n'};

    private final Scheme scheme;
    private final StoredHashes hashes;
    private final Parameters ofNewHashes;

    EvenCheck(Scheme scheme, StoredHashes hashes, Parameters ofNewHashes) {
        this.scheme = scheme;
        this.hashes = hashes;
        this.ofNewHashes = ofNewHashes;
    }

    boolean matches(PresentedPassword password, @Nullable String storedHash) {
        byte[] bytes = password.isAcceptable() ? password.bytes() : STAND_IN;
        ParsedHash parsed = storedHash == null ? null : hashes.read(storedHash);
        double done = 0;
        if (parsed instanceof ParsedHash.Checkable row) {
            boolean asked = password.isAcceptable() && row.takes(bytes.length);
            byte[] checked = asked ? bytes : STAND_IN;
            if (row.check().matches(checked) && asked) {
                return true;
            }
            done = row.nanos(checked.length) / ofNewHashes.nanos();
        }
        scheme.idle(1 - done, hashes.peppered(bytes));
        return false;
    }
}
