package dev.latchkey.plugins.apikeys;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
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
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * API keys of accounts: issues, rotates and revokes them. {@link ApiKeysPlugin} checks those that requests show.
 *
 * <p>What was read of a key, and of the state of its owner's account, is relied upon for {@link ApiKeySettings#seenWithin}. A change that this object
 * makes is seen here at once, and within that time by other processes; so is an account that was disabled or deleted, or has lost an authority.
 * Where it cannot be read anew after that time, nobody is let in, and no key is called wrong.
 *
 * <p>Who calls {@link #issue} and {@link #rotate} has made sure that it is the owner who asks, and by more than a session, which can be stolen: {@link OwnApiKeys}
 * does. Safe for use by any number of threads.
 */
public final class ApiKeys implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ApiKeys.class);

    /** Of a subject that has shown a key: the key's id. */
    public static final String CLAIM = "api_key";

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
            AccountLookup accounts,
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
     * Keys of this store.
     *
     * @param store of all nodes, which has no key that could be used
     * @param digests of what is stored
     * @param settings the same on each node
     * @param accounts asked for the accounts of owners that a plugin knows; {@link dev.latchkey.auth.engine.AuthChain#account}
     * @return keys that remember what they have read for as long as the settings say
     */
    public static ApiKeys of(ApiKeyStore store, KeyDigests digests, ApiKeySettings settings, AccountLookup accounts) {
        return new ApiKeys(store, digests, settings, accounts, InstantSource.system(), System::nanoTime);
    }

    /**
     * The same, with another source of time. Each has what it has read for itself, so use one of them.
     *
     * @param clock by which keys end
     * @return others, which have read nothing
     */
    public ApiKeys withClock(InstantSource clock) {
        return new ApiKeys(store, digests, settings, owners.accounts(), clock, nanoTime);
    }

    /**
     * What these keys were made with.
     *
     * @return settings that do not change
     */
    public ApiKeySettings settings() {
        return settings;
    }

    /**
     * Finds keys of this service in a text; for a secret scanner.
     *
     * @return a pattern that matches the whole of a key, its check sum not looked at
     */
    public Pattern pattern() {
        return format.pattern();
    }

    /**
     * Issues a key.
     *
     * @param owner whose key it is to be
     * @param wanted its name, its scopes and how long it is good
     * @return the key, or {@link KeyRefusal#TOO_MANY}
     * @throws AuthUnavailableException if the store does not answer
     */
    public KeyOutcome issue(KeyOwner owner, KeyRequest wanted) {
        if (store.ofAccount(owner.account()).size() >= settings.mostPerAccount()) {
            return KeyRefusal.TOO_MANY;
        }
        Instant now = now();
        IssuedKey issued = insert(owner, wanted, now);
        // Of several who ask at once each may have seen room for one.
        if (store.ofAccount(owner.account()).size() > settings.mostPerAccount()) {
            revoke(owner.account(), issued.key().id());
            return KeyRefusal.TOO_MANY;
        }
        LOG.info("The API key {} was issued", issued.key().id());
        return issued;
    }

    private IssuedKey insert(KeyOwner owner, KeyRequest wanted, Instant now) {
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
                    now,
                    wanted.lifetime() == null ? null : now.plus(wanted.lifetime()),
                    null);
            if (store.insert(key)) {
                check.forget(id);
                return new IssuedKey(new ApiKey(key), text);
            }
        }
        throw AuthUnavailableException.outage("The store says of each new id that it has it already");
    }

    private String digestOf(Secret text, String id, KeyOwner owner, String scopes) {
        byte[] binding = Reading.bindingOf(id, owner, scopes);
        return text.withBytes(bytes -> digests.digest(bytes, format.secretAt(), binding));
    }

    /**
     * The keys of an account, the oldest first.
     *
     * @param account the subject's id
     * @return those that are over too, as long as they are not revoked
     */
    public List<ApiKey> list(String account) {
        return store.ofAccount(account).stream().map(ApiKey::new).toList();
    }

    /**
     * Gives a key another name.
     *
     * @param account the subject's id
     * @param id as {@link ApiKey#id()} has it
     * @param name for people: 1 to 100 characters, not blank, no control characters
     * @return whether the account has such a key
     * @throws IllegalArgumentException if it is no name, as {@link KeyRequest} says
     */
    public boolean rename(String account, String id, String name) {
        KeyRequest.requireName(name);
        return store.rename(account, id, name);
    }

    /**
     * Gives a key another secret. The former one stays good for the overlap.
     *
     * @param account the subject's id
     * @param id as {@link ApiKey#id()} has it
     * @param wanted how long the former secret stays good, and how long the new one is
     * @return the new key, which has the same id, or {@link KeyRefusal#NO_SUCH_KEY}, or {@link KeyRefusal#ROTATED_ALREADY}
     */
    public KeyOutcome rotate(String account, String id, KeyRotation wanted) {
        Optional<StoredKey> found = find(account, id);
        for (int i = 0; i < MOST_TRIES && found.isPresent(); i++) {
            StoredKey before = found.get();
            if (wanted.cutsAnOverlapOf(before, now())) {
                return KeyRefusal.ROTATED_ALREADY;
            }
            Optional<IssuedKey> rotated = rotated(before, wanted);
            if (rotated.isPresent()) {
                LOG.info("The API key {} was rotated", id);
                return rotated.get();
            }
            found = find(account, id);
            if (found.isPresent() && !Objects.equals(found.get().formerDigest(), before.formerDigest())) {
                return KeyRefusal.ROTATED_ALREADY;
            }
            // Its digest was written anew under the present key, which is no rotation: the next try replaces that
            // digest.
        }
        return found.isPresent() ? KeyRefusal.ROTATED_ALREADY : KeyRefusal.NO_SUCH_KEY;
    }

    private Optional<StoredKey> find(String account, String id) {
        return store.find(id).filter(key -> key.owner().account().equals(account));
    }

    /** Empty where the key is not what was read any more. */
    private Optional<IssuedKey> rotated(StoredKey key, KeyRotation wanted) {
        Secret text = Secret.of(format.randomKey(key.id(), random));
        String digest = digestOf(text, key.id(), key.owner(), KeyScopes.joined(key.scopes()));
        Instant now = now();
        Instant formerUntil = wanted.formerUntil(key, now);
        Instant expires = wanted.lifetime() == null ? null : now.plus(wanted.lifetime());
        boolean isDone = store.rotate(key.owner().account(), key.id(), key.digest(), digest, formerUntil, expires);
        check.forget(key.id());
        return isDone
                ? Optional.of(new IssuedKey(new ApiKey(key.rotatedTo(digest, formerUntil, expires)), text))
                : Optional.empty();
    }

    /**
     * Revokes a key, which deletes it.
     *
     * @param account the subject's id
     * @param id as {@link ApiKey#id()} has it
     * @return whether the account had such a key
     */
    public boolean revoke(String account, String id) {
        boolean wasThere = store.delete(account, id);
        check.forget(id);
        if (wasThere) {
            LOG.info("The API key {} was revoked", id);
        }
        return wasThere;
    }

    /**
     * Revokes the keys of an account that were issued up to then, to the millisecond.
     *
     * @param account the subject's id
     * @param notBefore a key that was issued at this time is revoked too
     * @return how many there were
     */
    public int revokeAll(String account, Instant notBefore) {
        int revoked = store.deleteIssuedUntil(account, notBefore);
        check.forgetAllOf(account);
        LOG.info("{} API keys of one account were revoked", revoked);
        return revoked;
    }

    /**
     * Whether somebody who has this subject has shown a key, and has not logged in.
     *
     * @param subject somebody who is logged in, by whatever credentials
     * @return whether it has the claim that the plugin writes
     */
    public static boolean hasShownAKey(Subject subject) {
        return subject.claims().containsKey(CLAIM);
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

    /** Decides about a text that is shown as a key. */
    Decision check(Secret shown) {
        return check.decide(shown);
    }

    /** Revokes what is shown, if it is good. */
    boolean revokeShown(Secret shown) {
        return check(shown) instanceof Authenticated owner
                && revoke(owner.subject().id(), shown.<String>withBytes(text -> format.idOf(text)));
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    /** Ends the thread that notes uses. */
    @Override
    public void close() {
        check.close();
    }
}
