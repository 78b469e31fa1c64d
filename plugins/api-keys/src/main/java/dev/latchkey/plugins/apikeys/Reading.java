package dev.latchkey.plugins.apikeys;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.Verdict;
import dev.latchkey.plugins.apikeys.store.KeyOwner;
import dev.latchkey.plugins.apikeys.store.StoredKey;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What was read of one key, its owner's state included, in the form in which it is asked for. Where there is no such key there is a reading too, which
 * takes the same work and is never right. Safe for use by any number of threads.
 */
final class Reading {

    private static final Rejected WRONG = Rejected.because(RejectionReason.BAD_CREDENTIALS);
    private static final Rejected OVER = Rejected.because(RejectionReason.CREDENTIALS_EXPIRED);
    private static final byte[] NO_BINDING = new byte[32];

    private final @Nullable StoredKey key;
    private final KeyDigests.Expected current;
    private final KeyDigests.@Nullable Expected former;
    private final byte[] binding;
    private final Verdict state;
    private final long readAt;
    private final AtomicLong lastUse;

    private Reading(
            @Nullable StoredKey key,
            KeyDigests.Expected current,
            KeyDigests.@Nullable Expected former,
            byte[] binding,
            Verdict state,
            long readAt) {
        this.key = key;
        this.current = current;
        this.former = former;
        this.binding = binding;
        this.state = state;
        this.readAt = readAt;
        this.lastUse = new AtomicLong(
                key == null || key.lastUsed() == null
                        ? Long.MIN_VALUE
                        : key.lastUsed().toEpochMilli());
    }

    /** That there is no such key. */
    static Reading ofNothing(KeyDigests digests, long readAt) {
        return new Reading(null, digests.nothing(), null, NO_BINDING, WRONG, readAt);
    }

    /**
     * Of this key.
     *
     * @param state whose key it is, or why that account may do nothing now
     */
    static Reading of(StoredKey key, Verdict state, KeyDigests digests, long readAt) {
        String before = key.formerDigest();
        Verdict bounded = state instanceof Authenticated owner && key.expires() != null
                ? new Authenticated(owner.subject(), key.expires())
                : state;
        return new Reading(
                key,
                digests.expected(key.digest()),
                before == null ? null : digests.expected(before),
                bindingOf(key.id(), key.owner(), KeyScopes.joined(key.scopes())),
                bounded,
                readAt);
    }

    /**
     * What a digest is bound to besides the secret. Whoever can write the table and does not know the digests' key makes no key of his own another
     * account's, and gives it no scope.
     */
    static byte[] bindingOf(String id, KeyOwner owner, String scopes) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (String field : new String[] {id, owner.plugin(), owner.account(), scopes}) {
                byte[] bytes = field.getBytes(StandardCharsets.UTF_8);
                digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
                digest.update(bytes);
            }
            return digest.digest();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    /** When it was read, on the clock of {@link System#nanoTime}. */
    long readAt() {
        return readAt;
    }

    boolean isOf(String account) {
        return key != null && key.owner().account().equals(account);
    }

    /** Decides about the secret that begins there in this text. */
    Decision decide(byte[] text, int from, Instant now) {
        if (current.matches(text, from, binding)) {
            return key != null && isOver(key.expires(), now) ? OVER : state;
        }
        KeyDigests.Expected earlier = former;
        if (earlier == null || !earlier.matches(text, from, binding)) {
            return WRONG;
        }
        Instant end = Objects.requireNonNull(Objects.requireNonNull(key).formerUntil(), "formerUntil");
        if (isOver(end, now)) {
            return OVER;
        }
        return state instanceof Authenticated owner ? new Authenticated(owner.subject(), end) : state;
    }

    private static boolean isOver(@Nullable Instant end, Instant now) {
        return end != null && !now.isBefore(end);
    }

    /** The stored digest, if it is the one of this secret and not under the current key of the digests; else null. */
    @Nullable
    String digestToRenew(KeyDigests digests, byte[] text, int from) {
        return key != null && !digests.isCurrent(key.digest()) && current.matches(text, from, binding)
                ? key.digest()
                : null;
    }

    /** The digest of this secret under the current key of the digests. */
    String renewed(KeyDigests digests, byte[] text, int from) {
        return digests.digest(text, from, binding);
    }

    /** Whether this use is to be noted: the last one was noted longer ago than this. Yes to one of those who ask at once. */
    boolean isUseToBeNoted(Instant now, Duration atMostEvery) {
        long last = lastUse.get();
        long time = now.toEpochMilli();
        return (last == Long.MIN_VALUE || time - last >= atMostEvery.toMillis()) && lastUse.compareAndSet(last, time);
    }
}
