package dev.latchkey.auth.password;

import dev.latchkey.auth.password.hash.Parameters;
import dev.latchkey.auth.password.hash.ParsedHash;
import dev.latchkey.auth.password.hash.Scheme;
import org.jspecify.annotations.Nullable;

/**
 * Checks a password against a stored value. Every rejection takes the work of a new hash, for any reason: a wrong
 * password, an invalid password, a damaged row, or no row.
 *
 * <p>The work of the row's own check counts. A row with higher costs than a new hash takes longer. A match ends after
 * the row's own check, because a caller with a match knows the password. Thread-safe.
 */
final class EvenCheck {

    /** Hashed only to spend time, when the answer is already a rejection. */
    private static final byte[] STAND_IN = {'s', 't', 'a', 'n', 'd', '-', 'i', 'n'};

    private final Scheme scheme;
    private final StoredHashes hashes;
    private final Parameters ofNewHashes;
    private final UnreadableHashes unreadable = new UnreadableHashes();

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
        } else if (storedHash != null && !storedHash.isEmpty()) {
            unreadable.warn(hashes.identify(storedHash).reason());
        }
        scheme.idle(1 - done, hashes.peppered(bytes));
        return false;
    }
}
