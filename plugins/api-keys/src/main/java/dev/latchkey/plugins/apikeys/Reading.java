package dev.latchkey.plugins.apikeys;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.Sha256;
import dev.latchkey.plugins.apikeys.store.KeyOwner;
import dev.latchkey.plugins.apikeys.store.StoredKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A cached key with its owner's state, prepared for checks. An unknown key also has a reading: its check does the same
 * work, and never matches. Safe for use by any number of threads.
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

    /** The stored digest of a former secret of digests, until a use renews the digest. */
    private final AtomicReference<@Nullable String> outdated;

    private Reading(
            @Nullable StoredKey key,
            KeyDigests.Expected current,
            KeyDigests.@Nullable Expected former,
            byte[] binding,
            Verdict state,
            @Nullable String outdated,
            long readAt) {
        this.key = key;
        this.current = current;
        this.former = former;
        this.binding = binding;
        this.state = state;
        this.outdated = new AtomicReference<>(outdated);
        this.readAt = readAt;
        this.lastUse = new AtomicLong(
                key == null || key.lastUsed() == null
                        ? Long.MIN_VALUE
                        : key.lastUsed().toEpochMilli());
    }

    /** The reading of an unknown key. */
    static Reading ofNothing(KeyDigests digests, long readAt) {
        return new Reading(null, digests.nothing(), null, NO_BINDING, WRONG, null, readAt);
    }

    /**
     * The reading of this key. A former digest of a missing secret matches nothing: an outage would also reject the present
     * secret of the key, even long after the overlap.
     *
     * @param state the owner, or the reason of a rejected owner
     */
    static Reading of(StoredKey key, Verdict state, KeyDigests digests, long readAt) {
        String before = key.formerDigest();
        Verdict bounded = state instanceof Authenticated owner && key.expires() != null
                ? new Authenticated(owner.subject(), key.expires())
                : state;
        return new Reading(
                key,
                digests.expected(key.digest()),
                before == null || !digests.hasSecretOf(before) ? null : digests.expected(before),
                bindingOf(key.id(), key.owner(), KeyScopes.joined(key.scopes())),
                bounded,
                digests.isCurrent(key.digest()) ? null : key.digest(),
                readAt);
    }

    /**
     * The values bound into a digest besides the secret. An attacker with write access to the table but without the
     * digests' secret cannot move a key to another account, and cannot add a scope.
     */
    static byte[] bindingOf(String id, KeyOwner owner, String scopes) {
        MessageDigest digest = Sha256.start();
        for (String field : new String[] {id, owner.plugin(), owner.account(), scopes}) {
            byte[] bytes = field.getBytes(StandardCharsets.UTF_8);
            digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
            digest.update(bytes);
        }
        return digest.digest();
    }

    /** The time of the read, on the clock of {@link System#nanoTime}. */
    long readAt() {
        return readAt;
    }

    boolean isOf(String account) {
        return key != null && key.owner().account().equals(account);
    }

    /** Decides about the secret from this index on. */
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

    boolean isUnknown() {
        return key == null;
    }

    boolean hasOtherDigestsThan(StoredKey row) {
        return key == null
                || !key.digest().equals(row.digest())
                || !Objects.equals(key.formerDigest(), row.formerDigest());
    }

    /** Whether the secret matches no digest of the key, or the key is unknown. */
    static boolean isWrong(Decision decision) {
        return decision.equals(WRONG);
    }

    private static boolean isOver(@Nullable Instant end, Instant now) {
        return end != null && !now.isBefore(end);
    }

    /**
     * The stored digest, if this secret matches the digest, and the digest was made with a former secret of digests; else null.
     * Only the first caller with this secret gets the digest: a renewal is one write.
     */
    @Nullable
    String digestToRenew(byte[] text, int from) {
        String digest = outdated.get();
        return digest != null && current.matches(text, from, binding) && outdated.compareAndSet(digest, null)
                ? digest
                : null;
    }

    /** The digest of this secret with the current secret of the digests. */
    String renewed(KeyDigests digests, byte[] text, int from) {
        return digests.digest(text, from, binding);
    }

    /**
     * Whether to record this use: no use was recorded, or the last recorded use is at least this long ago. Of concurrent
     * callers, only the first gets {@code true}.
     */
    boolean isUseToBeNoted(Instant now, Duration atMostEvery) {
        long last = lastUse.get();
        long time = now.toEpochMilli();
        return (last == Long.MIN_VALUE || time - last >= atMostEvery.toMillis()) && lastUse.compareAndSet(last, time);
    }
}
