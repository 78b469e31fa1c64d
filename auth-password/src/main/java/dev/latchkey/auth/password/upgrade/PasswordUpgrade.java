package dev.latchkey.auth.password.upgrade;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.password.PasswordEncoders;
import dev.latchkey.auth.password.PresentedPassword;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * Replaces an old hash by a new one after its owner has logged in: the one moment at which the password is known.
 *
 * <p>A new hash costs as much as a login, so the login does not wait for it:
 *
 * <ul>
 *   <li>After the answer: {@link #afterSuccess} only queues, and a thread of its own does the work.
 *   <li>Once: an account that is queued is not queued again. One whose replacement failed is left alone for half an hour, so that a store that takes
 *       no updates does not cost a hash at each login. A store that answers "no" counts as a failure too: for a column that pads its values, or a
 *       name that the database folds, it answers so for ever.
 *   <li>Compare-and-set: {@link StoredPasswords#replace}.
 *   <li>Bounded: one at a time, and after each the thread rests as long as it worked, so all replacements together take half of one core at most.
 *       Where {@value #MAX_PENDING} accounts are queued, a further one is dropped until its next login.
 * </ul>
 *
 * <p>A queued password is held in a {@link Secret}, and wiped when its turn is over. Safe for use by any number of threads.
 */
public final class PasswordUpgrade implements AutoCloseable {

    static final int MAX_PENDING = 64;

    /** The longest password for an encoder that sets no bound itself. */
    static final int MAX_PASSWORD_BYTES = 1024;

    private static final int MAX_CAUSES = 5;

    /** So the answer is on its way before the first replacement competes with it for a core. */
    static final Duration FIRST_DELAY = Duration.ofMillis(100);

    private static final Logger LOG = System.getLogger(PasswordUpgrade.class.getName());

    private record Pending(PasswordEncoder encoder, Secret password, String storedHash) {
        /** Without the hash. */
        @Override
        public String toString() {
            return "Pending";
        }
    }

    private final PasswordEncoder encoder;
    private final StoredPasswords store;
    private final DelayedExecutor pace;
    private final InstantSource clock;
    private final Map<String, Pending> pending = new LinkedHashMap<>();
    private final AccountsAtRest atRest;
    private final LongAdder replaced = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final LongAdder declined = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private boolean running;
    private boolean closed;

    private PasswordUpgrade(PasswordEncoder encoder, StoredPasswords store, DelayedExecutor pace, InstantSource clock) {
        this.encoder = encoder;
        this.store = store;
        this.pace = pace;
        this.clock = clock;
        this.atRest = new AccountsAtRest(clock);
    }

    /**
     * Replaces on one daemon thread, which {@link #close} ends.
     *
     * @param encoder that hashes anew, and says which hashes need it; any {@link PasswordEncoder}
     * @param store that takes the new hashes
     * @return with an empty queue
     */
    public static PasswordUpgrade of(PasswordEncoder encoder, StoredPasswords store) {
        return new PasswordUpgrade(encoder, store, DelayedExecutor.onOwnThread(), InstantSource.system());
    }

    static PasswordUpgrade of(
            PasswordEncoder encoder, StoredPasswords store, DelayedExecutor pace, InstantSource clock) {
        return new PasswordUpgrade(encoder, store, pace, clock);
    }

    /**
     * Queues a replacement if the stored hash is in need of one. Does not block, and never throws because of what it is given.
     *
     * @param account as the store knows it
     * @param password the one that has just matched {@code storedHash}; copied, so the caller may wipe it afterwards
     * @param storedHash that it has matched
     */
    public void afterSuccess(String account, CharSequence password, String storedHash) {
        afterSuccess(encoder, account, password, storedHash);
    }

    /**
     * As the other, for a store whose logins are checked by several encoders.
     *
     * @param matched the encoder that has just matched, which hashes anew too
     * @param account as the store knows it
     * @param password the one that has just matched {@code storedHash}; copied, so the caller may wipe it afterwards
     * @param storedHash that it has matched
     */
    public void afterSuccess(PasswordEncoder matched, String account, CharSequence password, String storedHash) {
        if (!matched.upgradeEncoding(storedHash)) {
            return;
        }
        // Too long for the new algorithm, say: the old hash stays, as its owner must not be locked out.
        try (PresentedPassword presented = presented(matched, password)) {
            if (presented.isAcceptable()) {
                queue(matched, account, presented, storedHash);
            }
        }
    }

    private static PresentedPassword presented(PasswordEncoder encoder, CharSequence password) {
        return encoder instanceof PasswordEncoders bounded
                ? PresentedPassword.of(password, bounded)
                : PresentedPassword.of(password, MAX_PASSWORD_BYTES);
    }

    private synchronized void queue(
            PasswordEncoder matched, String account, PresentedPassword password, String storedHash) {
        if (closed || pending.containsKey(account) || atRest.contains(account)) {
            return;
        }
        if (pending.size() == MAX_PENDING) {
            dropped.increment();
            return;
        }
        pending.put(account, new Pending(matched, Secret.of(password.bytes()), storedHash));
        if (!running) {
            running = true;
            pace.after(FIRST_DELAY, this::replaceNext);
        }
    }

    private void replaceNext() {
        Map.Entry<String, Pending> next = peek();
        if (next == null) {
            return;
        }
        Instant start = clock.instant();
        try (Secret password = next.getValue().password) {
            replace(next.getKey(), next.getValue().encoder, password, next.getValue().storedHash);
        } catch (RuntimeException e) {
            failed(next.getKey(), e);
        } finally {
            finish(next.getKey(), Duration.between(start, clock.instant()));
        }
    }

    private void replace(String account, PasswordEncoder matched, Secret password, String storedHash) {
        String replacement = password.withText(matched::encode);
        if (store.replace(account, storedHash, replacement)) {
            replaced.increment();
        } else {
            declined.increment();
            leaveAlone(account);
        }
    }

    private synchronized Map.@Nullable Entry<String, Pending> peek() {
        Iterator<Map.Entry<String, Pending>> first = pending.entrySet().iterator();
        running = !closed && first.hasNext();
        return running ? Map.Entry.copyOf(first.next()) : null;
    }

    private synchronized void finish(String account, Duration took) {
        pending.remove(account);
        if (!closed) {
            pace.after(took, this::replaceNext);
        }
    }

    private synchronized void leaveAlone(String account) {
        atRest.add(account);
    }

    private synchronized void failed(String account, RuntimeException e) {
        failed.increment();
        leaveAlone(account);
        if (closed || isOverload(e)) {
            return;
        }
        // Types only: databases quote the value that they refuse, or the whole row.
        LOG.log(
                Level.WARNING,
                "A password hash could not be replaced; the old one stays, and the next attempt is in "
                        + AccountsAtRest.REST.toMinutes() + " minutes: " + typesOf(e));
    }

    private static String typesOf(Throwable failure) {
        StringBuilder types = new StringBuilder(failure.getClass().getName());
        Throwable cause = failure.getCause();
        for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
            types.append(", caused by ").append(cause.getClass().getName());
            if (cause instanceof SQLException sql) {
                types.append(" (SQL state ").append(sql.getSQLState()).append(')');
            }
            cause = cause.getCause();
        }
        return types.toString();
    }

    private static boolean isOverload(RuntimeException e) {
        return e instanceof AuthUnavailableException unavailable
                && unavailable.kind() == AuthUnavailableException.Kind.OVERLOAD;
    }

    /**
     * How many hashes were replaced.
     *
     * @return counted since this was made; only grows
     */
    public long replaced() {
        return replaced.sum();
    }

    /**
     * How many logins found the queue full.
     *
     * @return counted since this was made; only grows
     */
    public long dropped() {
        return dropped.sum();
    }

    /**
     * How many replacements the store answered with "no". One now and then is a password that was changed in the meantime. One for each login is a
     * column or a name that never compares equal to what was read of it.
     *
     * @return counted since this was made; only grows
     */
    public long declined() {
        return declined.sum();
    }

    /**
     * How many replacements failed with an exception, of the encoder or of the store.
     *
     * @return counted since this was made; only grows
     */
    public long failed() {
        return failed.sum();
    }

    /** Ends the thread after the replacement that it is at, and wipes what is queued. */
    @Override
    public synchronized void close() {
        closed = true;
        pace.close();
        pending.values().forEach(entry -> entry.password.close());
        pending.clear();
    }
}
