package dev.latchkey.auth.password.upgrade;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.password.PasswordEncoders;
import dev.latchkey.auth.password.PresentedPassword;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * Replaces an old hash after a successful login, because only then is the password known.
 *
 * <p>A new hash costs as much as a login, so the login does not wait:
 *
 * <ul>
 *   <li>After the answer: {@link #afterSuccess} only queues, and a separate thread does the work.
 *   <li>Once: a queued account is not queued again. After a failed replacement, the account is not tried for half an
 *       hour. Otherwise, with a store that rejects updates, each login would cost a new hash. The store's answer "no"
 *       counts as a failure. Some columns pad values, and some databases fold names. There, every answer is "no".
 *   <li>Compare-and-set: {@link StoredPasswords#replace}.
 *   <li>Limited: one replacement at a time. After each replacement, the thread pauses as long as the work took.
 *       Therefore all replacements together use at most half of one core. With {@value #MAX_PENDING} queued accounts, a
 *       further account is not queued until its next login.
 * </ul>
 *
 * <p>A queued password is held in a {@link Secret}, and wiped after its turn. Safe for use by any number of threads.
 */
public final class PasswordUpgrade implements AutoCloseable {

    static final int MAX_PENDING = 64;

    /** The longest password for an encoder without its own limit. */
    static final int MAX_PASSWORD_BYTES = 1024;

    private static final int MAX_CAUSES = 5;

    /** The delay lets the answer leave before the first replacement competes for a core. */
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
    private final LongSupplier nanos;
    private final Map<String, Pending> pending = new LinkedHashMap<>();
    private final AccountsAtRest postponed;
    private final LongAdder replaced = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final LongAdder declined = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private boolean running;
    private boolean closed;

    private PasswordUpgrade(PasswordEncoder encoder, StoredPasswords store, DelayedExecutor pace, LongSupplier nanos) {
        this.encoder = encoder;
        this.store = store;
        this.pace = pace;
        this.nanos = nanos;
        this.postponed = new AccountsAtRest(nanos);
    }

    /**
     * Replaces hashes on one daemon thread; {@link #close} ends the thread.
     *
     * @param encoder computes new hashes, and decides which hashes need a replacement; any {@link PasswordEncoder}
     * @param store receives the new hashes
     * @return an upgrade with an empty queue
     */
    public static PasswordUpgrade of(PasswordEncoder encoder, StoredPasswords store) {
        return new PasswordUpgrade(encoder, store, DelayedExecutor.onOwnThread(), System::nanoTime);
    }

    static PasswordUpgrade of(
            PasswordEncoder encoder, StoredPasswords store, DelayedExecutor pace, LongSupplier nanos) {
        return new PasswordUpgrade(encoder, store, pace, nanos);
    }

    /**
     * Queues a replacement if the stored hash needs one. Does not wait for a hash or for the store. Passes on only an
     * exception of {@link PasswordEncoder#upgradeEncoding}.
     *
     * @param account the account's name in the store
     * @param password the password that matched {@code storedHash}; copied, so the caller may wipe the original
     * @param storedHash the matched hash
     */
    public void afterSuccess(String account, CharSequence password, String storedHash) {
        afterSuccess(encoder, account, password, storedHash);
    }

    /**
     * As {@link #afterSuccess(String, CharSequence, String)}, for a store with several encoders.
     *
     * @param matched the encoder that matched, which also computes the new hash
     * @param account the account's name in the store
     * @param password the password that matched {@code storedHash}; copied, so the caller may wipe the original
     * @param storedHash the matched hash
     */
    public void afterSuccess(PasswordEncoder matched, String account, CharSequence password, String storedHash) {
        if (!matched.upgradeEncoding(storedHash)) {
            return;
        }
        // If the password is, for example, too long for the new algorithm, the old hash stays: the account must not be
        // locked out.
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
        if (closed || pending.containsKey(account) || postponed.contains(account)) {
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
        long begun = nanos.getAsLong();
        try (Secret password = next.getValue().password) {
            replace(next.getKey(), next.getValue().encoder, password, next.getValue().storedHash);
        } catch (RuntimeException e) {
            failed(next.getKey(), e);
        } finally {
            finish(next.getKey(), Duration.ofNanos(nanos.getAsLong() - begun));
        }
    }

    private void replace(String account, PasswordEncoder matched, Secret password, String storedHash) {
        String replacement = password.withText(matched::encode);
        if (store.replace(account, storedHash, replacement)) {
            replaced.increment();
        } else {
            declined.increment();
            postpone(account);
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

    private synchronized void postpone(String account) {
        postponed.add(account);
    }

    private synchronized void failed(String account, RuntimeException e) {
        failed.increment();
        postpone(account);
        if (closed || isOverload(e)) {
            return;
        }
        // Types only: databases quote the rejected value or the whole row in messages.
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
     * The number of replaced hashes.
     *
     * @return counted since creation; only grows
     */
    public long replaced() {
        return replaced.sum();
    }

    /**
     * The number of logins that found the queue full.
     *
     * @return counted since creation; only grows
     */
    public long dropped() {
        return dropped.sum();
    }

    /**
     * The number of replacements that the store answered with "no". An occasional "no" means that the password changed
     * in the meantime. If each answer is "no", the column or the name never compares equal to the value read.
     *
     * @return counted since creation; only grows
     */
    public long declined() {
        return declined.sum();
    }

    /**
     * The number of replacements that failed with an exception, in the encoder or in the store.
     *
     * @return counted since creation; only grows
     */
    public long failed() {
        return failed.sum();
    }

    /** Ends the thread after its current replacement, and wipes all queued passwords. */
    @Override
    public synchronized void close() {
        closed = true;
        pace.close();
        pending.values().forEach(entry -> entry.password.close());
        pending.clear();
    }
}
