package dev.latchkey.plugins.apikeys;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Verdict;
import dev.latchkey.plugins.apikeys.store.ApiKeyStore;
import dev.latchkey.plugins.apikeys.store.KeyOwner;
import dev.latchkey.plugins.apikeys.store.StoredKey;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * API keys of accounts: issue, rotation and revocation. {@link ApiKeysPlugin} checks the keys in requests.
 *
 * <p>Rows of keys and states of their owners are cached for {@link ApiKeySettings#seenWithin}. This object sees its own
 * changes immediately; other processes see them within this time. The same time applies to an account that was disabled
 * or deleted, or has lost an authority. If the store does not answer, each check ends in an outage after this time. No
 * key is then reported as wrong.
 *
 * <p>The caller of {@link #issue} and {@link #rotate} must have verified the owner by more than a session, because a
 * session can be stolen. {@link OwnApiKeys} does so. Safe for use by any number of threads.
 */
public final class ApiKeys implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ApiKeys.class);

    private static final int MOST_TRIES = 3;

    private final SecureRandom random = new SecureRandom();
    private final ApiKeyStore store;
    private final KeyDigests digests;
    private final ApiKeySettings settings;
    private final OwnerStates owners;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final KeyFormat format;
    private final ApiKeyCheck check;

    ApiKeys(
            ApiKeyStore store,
            KeyDigests digests,
            ApiKeySettings settings,
            BiFunction<String, String, Optional<Verdict>> accounts,
            InstantSource clock,
            LongSupplier nanoTime) {
        this.store = Objects.requireNonNull(store, "store");
        this.digests = Objects.requireNonNull(digests, "digests");
        this.settings = Objects.requireNonNull(settings, "settings");
        this.owners = new OwnerStates(Objects.requireNonNull(accounts, "accounts"), settings.scopes());
        this.clock = Objects.requireNonNull(clock, "clock");
        this.nanoTime = nanoTime;
        this.format = KeyFormat.withPrefix(settings.prefix());
        this.check = new ApiKeyCheck(store, digests, settings, owners, clock, nanoTime);
    }

    /**
     * Keys in this store.
     *
     * @param store shared by all nodes; contains no usable key
     * @param digests for the stored keys
     * @param settings the same on each node
     * @param accounts finds the present account of an owner, on any thread, by the plugin's name and the subject's id:
     *     {@link dev.latchkey.auth.engine.DecidedLogins#account}
     * @return keys with their own cache
     */
    public static ApiKeys of(
            ApiKeyStore store,
            KeyDigests digests,
            ApiKeySettings settings,
            BiFunction<String, String, Optional<Verdict>> accounts) {
        return new ApiKeys(store, digests, settings, accounts, InstantSource.system(), System::nanoTime);
    }

    /**
     * A copy with another clock. Each copy has its own cache, so use only a single copy.
     *
     * @param clock for the creation, the uses and the end of keys
     * @return other keys, with an empty cache
     */
    public ApiKeys withClock(InstantSource clock) {
        return new ApiKeys(store, digests, settings, owners.accounts(), clock, nanoTime);
    }

    /**
     * A copy with another measure for the age of cached rows. Each copy has its own cache, so use only a single copy.
     *
     * @param nanoTime in nanoseconds from any origin, and never goes back: {@link System#nanoTime} outside of tests
     * @return other keys, with an empty cache
     */
    public ApiKeys withNanoTime(LongSupplier nanoTime) {
        return new ApiKeys(
                store, digests, settings, owners.accounts(), clock, Objects.requireNonNull(nanoTime, "nanoTime"));
    }

    /**
     * The settings of these keys.
     *
     * @return immutable
     */
    public ApiKeySettings settings() {
        return settings;
    }

    /**
     * A pattern for the keys of this service in a text; for secret scanners.
     *
     * @return matches a whole key, without a check of its checksum
     */
    public Pattern pattern() {
        return format.pattern();
    }

    /**
     * Issues a key.
     *
     * @param owner of the new key
     * @param wanted name, scopes and lifetime
     * @return the key, or {@link KeyRefusal#TOO_MANY}
     * @throws AuthUnavailableException if the store does not answer, or the account has no room and its source does not
     *     answer
     */
    public KeyOutcome issue(KeyOwner owner, KeyRequest wanted) {
        return issue(owner, wanted, Instant.MAX);
    }

    /** @param proved the start of the owner's login; counts as the time of issue, if in the past */
    KeyOutcome issue(KeyOwner owner, KeyRequest wanted, Instant proved) {
        Instant now = now();
        Instant created = proved.isBefore(now) ? proved.truncatedTo(ChronoUnit.MILLIS) : now;
        for (int i = 0; i < MOST_TRIES; i++) {
            String id = format.randomId(random);
            Secret text = Secret.of(format.randomKey(id, random));
            StoredKey key = new StoredKey(
                    id,
                    owner,
                    wanted.name(),
                    wanted.scopes(),
                    digestOf(text, id, owner, KeyScopes.joined(wanted.scopes())),
                    null,
                    null,
                    created,
                    wanted.lifetime() == null ? null : now.plus(wanted.lifetime()),
                    null);
            ApiKeyStore.Insertion insertion = store.insert(key, settings.mostPerAccount());
            if (insertion == ApiKeyStore.Insertion.DONE) {
                LOG.info("The API key {} was issued", id);
                return new IssuedKey(new ApiKey(key), text);
            }
            if (insertion == ApiKeyStore.Insertion.NO_ROOM && !endsKeysOfFormerAccounts(owner.account())) {
                return KeyRefusal.TOO_MANY;
            }
        }
        throw AuthUnavailableException.outage("The store reports each new id as existing");
    }

    /** Deletes the keys of a deleted account of this name. No check accepts these keys. Returns whether there were any. */
    private boolean endsKeysOfFormerAccounts(String account) {
        List<StoredKey> former = owners.ofFormerAccounts(store.ofAccount(account));
        former.forEach(key -> revoke(account, key.id()));
        return !former.isEmpty();
    }

    private String digestOf(Secret text, String id, KeyOwner owner, String scopes) {
        byte[] binding = Reading.bindingOf(id, owner, scopes);
        return text.withBytes(bytes -> digests.digest(bytes, format.secretAt(), binding));
    }

    /**
     * The keys of an account, oldest first.
     *
     * @param account the subject's id
     * @return including expired keys, without revoked keys and keys of a deleted account of the same name
     * @throws AuthUnavailableException if the store or the source of the account does not answer
     */
    public List<ApiKey> list(String account) {
        List<StoredKey> keys = store.ofAccount(account);
        List<StoredKey> former = owners.ofFormerAccounts(keys);
        return keys.stream()
                .filter(key -> !former.contains(key))
                .map(ApiKey::new)
                .toList();
    }

    /**
     * Changes the name of a key.
     *
     * @param account the subject's id
     * @param id from {@link ApiKey#id()}
     * @param name for people: 1 to 100 characters, not blank, no control characters
     * @return whether the account has this key
     * @throws IllegalArgumentException if the name has another form, see {@link KeyRequest}
     */
    public boolean rename(String account, String id, String name) {
        KeyRequest.requireName(name);
        return KeyFormat.isId(id) && store.rename(account, id, name);
    }

    /**
     * Replaces the secret of a key. The former secret stays valid for the overlap.
     *
     * @param account the subject's id
     * @param id from {@link ApiKey#id()}
     * @param wanted the overlap, and the lifetime of the new secret
     * @return the new key with the same id, or {@link KeyRefusal#ROTATED_ALREADY}, or {@link KeyRefusal#NO_SUCH_KEY}. A
     *     key of a deleted account is no such key, even if a new account has the same name
     * @throws AuthUnavailableException if the store or the source of the account does not answer
     */
    public KeyOutcome rotate(String account, String id, KeyRotation wanted) {
        return rotate(account, id, wanted, () -> true);
    }

    /**
     * A rotation with a check after the write. A revocation after this check finds the key, and an earlier revocation is
     * found by the check.
     *
     * @param isStillProved if false, the key is revoked, because its former secret may be known. After an exception, the key
     *     is as before: other users of the key do not depend on this check
     */
    KeyOutcome rotate(String account, String id, KeyRotation wanted, BooleanSupplier isStillProved) {
        Optional<StoredKey> found = find(account, id).filter(owners::hasOwner);
        for (int i = 0; i < MOST_TRIES && found.isPresent(); i++) {
            StoredKey before = found.get();
            if (wanted.cutsAnOverlapOf(before, now())) {
                return KeyRefusal.ROTATED_ALREADY;
            }
            Secret text = Secret.of(format.randomKey(id, random));
            StoredKey after = rotated(before, text, wanted);
            boolean isReplaced = store.replaceSecrets(before, after);
            check.forget(id);
            if (isReplaced) {
                if (!isProvedAfter(before, after, isStillProved)) {
                    revoke(account, id);
                    return KeyRefusal.NOT_PROVED;
                }
                LOG.info("The API key {} was rotated", id);
                return new IssuedKey(new ApiKey(after), text);
            }
            found = find(account, id);
            if (found.isPresent() && !Objects.equals(found.get().formerDigest(), before.formerDigest())) {
                return KeyRefusal.ROTATED_ALREADY;
            }
            // No rotation: a check has only renewed the digest with the current secret of digests. The next attempt
            // replaces the renewed digest.
        }
        return found.isPresent() ? KeyRefusal.ROTATED_ALREADY : KeyRefusal.NO_SUCH_KEY;
    }

    private Optional<StoredKey> find(String account, String id) {
        return KeyFormat.isId(id)
                ? store.find(id).filter(key -> key.owner().account().equals(account))
                : Optional.empty();
    }

    private StoredKey rotated(StoredKey key, Secret text, KeyRotation wanted) {
        String digest = digestOf(text, key.id(), key.owner(), KeyScopes.joined(key.scopes()));
        Instant now = now();
        Instant expires = wanted.lifetime() == null ? null : now.plus(wanted.lifetime());
        return key.rotatedTo(digest, wanted.formerUntil(key, now), expires);
    }

    private boolean isProvedAfter(StoredKey before, StoredKey after, BooleanSupplier isStillProved) {
        try {
            return isStillProved.getAsBoolean();
        } catch (RuntimeException e) {
            store.undoReplacement(before, after);
            check.forget(before.id());
            throw e;
        }
    }

    /**
     * Revokes a key: deletes its row.
     *
     * @param account the subject's id
     * @param id from {@link ApiKey#id()}
     * @return whether the account had this key
     */
    public boolean revoke(String account, String id) {
        boolean wasThere = KeyFormat.isId(id) && store.delete(account, id);
        check.forget(id);
        if (wasThere) {
            LOG.info("The API key {} was revoked", id);
        }
        return wasThere;
    }

    /**
     * Revokes the keys of an account that were issued up to this time, to the millisecond.
     *
     * @param account the subject's id
     * @param notBefore a key issued at this time is revoked too
     * @return the number of revoked keys
     */
    public int revokeAll(String account, Instant notBefore) {
        int revoked = store.deleteIssuedUntil(account, notBefore);
        check.forgetAllOf(account);
        LOG.info("{} API keys of one account were revoked", revoked);
        return revoked;
    }

    KeyFormat format() {
        return format;
    }

    KeyScopes scopes() {
        return settings.scopes();
    }

    boolean isKnown(KeyOwner owner) {
        return owners.isKnown(owner);
    }

    /** Decides about a key from a request. */
    Decision check(Secret shown) {
        return check.decide(shown);
    }

    /** Revokes a key from a request, if its secret is right. The owner's state does not matter: a holder may give a key up. */
    boolean revokeShown(Secret shown) {
        return check.decideWithoutOwner(shown) instanceof Authenticated owner
                && revoke(owner.subject().id(), shown.<String>withBytes(text -> format.idOf(text)));
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    /** Ends the thread that records uses and renews digests. */
    @Override
    public void close() {
        check.close();
    }
}
