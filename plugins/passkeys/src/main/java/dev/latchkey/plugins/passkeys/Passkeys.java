package dev.latchkey.plugins.passkeys;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.Sha256;
import dev.latchkey.plugins.passkeys.Challenges.Purpose;
import dev.latchkey.plugins.passkeys.PasskeyCheck.Proof;
import dev.latchkey.plugins.passkeys.PasskeyCheck.Registered;
import dev.latchkey.plugins.passkeys.PasskeyCheck.Verification;
import dev.latchkey.plugins.passkeys.store.PasskeyStore;
import dev.latchkey.plugins.passkeys.store.StoredPasskey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The passkeys of accounts: challenges for logins, and the administrator's view. Owners register and remove their own
 * passkeys through {@link OwnPasskeys}.
 *
 * <p>A challenge is good for five minutes and once, on every node that has the same store and key. Blocks. Immutable, and
 * safe for use by any number of threads.
 */
public final class Passkeys {

    /** The ids of all passkeys of an account must fit into the parameters of a challenge. */
    private static final int MOST_ID_CHARACTERS = 1_600;

    /** The length of the column in the table. The key contains its credential id. */
    private static final int MOST_KEY_CHARACTERS = 2_000;

    /** The greatest difference between the clocks of two nodes. */
    private static final Duration CLOCKS = Duration.ofMinutes(1);

    private static final int MOST_RACES = 10;

    private final PasskeyStore store;
    private final RelyingParty service;
    private final Challenges challenges;
    private final PasskeyCheck check;
    private final InstantSource clock;

    private Passkeys(
            PasskeyStore store, RelyingParty service, Challenges challenges, PasskeyCheck check, InstantSource clock) {
        this.store = store;
        this.service = service;
        this.challenges = challenges;
        this.check = check;
        this.clock = clock;
    }

    /**
     * The passkeys of this service.
     *
     * @param store the passkeys' store
     * @param service as browsers know the service
     * @param key 32 random bytes, the same on every node; authenticates challenges. Another key only ends open challenges
     * @return passkeys with the system's time
     * @throws IllegalArgumentException if the key has another length
     */
    public static Passkeys of(PasskeyStore store, RelyingParty service, Secret key) {
        return new Passkeys(
                Objects.requireNonNull(store, "store"),
                service,
                new Challenges(key),
                new PasskeyCheck(service),
                InstantSource.system());
    }

    /**
     * The same with another source of time.
     *
     * @param other for the expiry of challenges
     * @return another object; the present object is unchanged
     */
    public Passkeys withClock(InstantSource other) {
        return new Passkeys(store, service, challenges, check, Objects.requireNonNull(other, "other"));
    }

    /**
     * A challenge for a login by a passkey alone. Open to unauthenticated callers, because nothing is stored.
     *
     * @return the data for the client, by the names of {@link PasskeyFields}
     */
    public Map<String, Object> begin() {
        return parameters(challenges.make(Purpose.LOGIN, "", "", clock.instant()), "required");
    }

    /**
     * The passkeys of this account, the oldest first.
     *
     * @param account the subject's id
     * @return without their keys
     * @throws AuthUnavailableException if the store does not answer
     */
    public List<Passkey> list(String account) {
        return store.ofAccount(account).stream().map(Passkeys::shown).toList();
    }

    /**
     * Removes a passkey, without its owner's proof. For administrators.
     *
     * @param account the subject's id
     * @param id of the passkey
     * @return whether the account had this passkey
     * @throws AuthUnavailableException if the store does not answer
     */
    public boolean remove(String account, String id) {
        return store.delete(account, id);
    }

    /**
     * Removes all passkeys of an account. For administrators, if an owner has lost access to all passkeys, and for the
     * deletion of an account: otherwise a later account with the same id would have the passkeys.
     *
     * @param account the subject's id
     * @return the number of removed passkeys
     * @throws AuthUnavailableException if the store does not answer
     */
    public int removeAll(String account) {
        return store.deleteAll(account);
    }

    static Passkey shown(StoredPasskey key) {
        return new Passkey(key.id(), key.name(), key.created(), Optional.ofNullable(key.lastUsed()));
    }

    List<StoredPasskey> stored(String account) {
        return store.ofAccount(account);
    }

    /** A challenge for this account and purpose, with the client's data; empty if the account has no passkeys. */
    Optional<AccountChallenge> challenge(Purpose purpose, String account) {
        List<StoredPasskey> keys = store.ofAccount(account);
        if (keys.isEmpty()) {
            return Optional.empty();
        }
        byte[] challenge = challenges.make(purpose, account, "", clock.instant());
        Map<String, Object> parameters = parameters(challenge, "preferred");
        parameters.put(
                PasskeyFields.CREDENTIAL_IDS,
                keys.stream().map(StoredPasskey::id).toList());
        return Optional.of(new AccountChallenge(Secret.of(challenge), parameters));
    }

    record AccountChallenge(Secret challenge, Map<String, Object> parameters) {}

    private Map<String, Object> parameters(byte[] challenge, String verification) {
        Map<String, Object> parameters = new LinkedHashMap<>();
        parameters.put(PasskeyFields.CHALLENGE, Base64Url.encode(challenge));
        parameters.put(PasskeyFields.RP_ID, service.id());
        parameters.put(PasskeyFields.TIMEOUT, Challenges.LIFETIME.toMillis());
        parameters.put(PasskeyFields.USER_VERIFICATION, verification);
        return parameters;
    }

    /**
     * Uses a passkey of this account, after another proof.
     *
     * @param given the challenge of this login; a challenge of {@link OwnPasskeys#challenge} is valid too
     */
    Optional<Proof> useAsStep(String account, byte[] given, Assertion assertion) {
        Instant now = clock.instant();
        byte[] claimed = check.challengeOf(assertion).orElse(given);
        boolean isProof = challenges.open(Purpose.PROOF, account, claimed, now).isPresent();
        byte[] expected = isProof ? claimed : given;
        if (!isProof && challenges.open(Purpose.STEP, account, given, now).isEmpty()) {
            return Optional.empty();
        }
        return use(assertion, key -> key.account().equals(account), expected, Verification.PREFERRED)
                .map(Use::proof);
    }

    /** Uses a passkey as the only proof: the user handle names the account, and the authenticator has verified its user. */
    Optional<StoredPasskey> useAsLogin(Assertion assertion) {
        byte[] claimed = check.challengeOf(assertion).orElseGet(() -> new byte[0]);
        if (assertion.userHandle() == null
                || challenges.open(Purpose.LOGIN, "", claimed, clock.instant()).isEmpty()) {
            return Optional.empty();
        }
        return use(assertion, key -> true, claimed, Verification.REQUIRED).map(Use::key);
    }

    private record Use(StoredPasskey key, Proof proof) {}

    /**
     * Checks the assertion, then uses the challenge up, then writes the counter if the counter is unchanged. Otherwise the check
     * runs again with the new counter.
     */
    private Optional<Use> use(
            Assertion assertion, Predicate<StoredPasskey> mayUse, byte[] challenge, Verification verification) {
        boolean isSpent = false;
        for (int race = 0; race < MOST_RACES; race++) {
            Instant now = clock.instant();
            @Nullable
            StoredPasskey key = store.find(assertion.id())
                    .filter(mayUse)
                    .filter(found -> isOf(found, assertion.userHandle()))
                    .orElse(null);
            Optional<Proof> proof = check.check(assertion, key, challenge, verification);
            if (key == null || proof.isEmpty()) {
                return Optional.empty();
            }
            if (!isSpent && !spend(challenge, now)) {
                return Optional.empty();
            }
            isSpent = true;
            if (store.used(key.id(), key.counter(), proof.get().counter(), now)) {
                return Optional.of(new Use(key, proof.get()));
            }
        }
        throw AuthUnavailableException.outage("A passkey is used by too many logins at once");
    }

    /** Keeps the row of a used challenge until the challenge has ended by the clock of every node. */
    private boolean spend(byte[] challenge, Instant now) {
        return store.spend(digest(challenge), Challenges.endOf(challenge).plus(CLOCKS), now);
    }

    /** A handle is no secret, so the comparison may take any time. */
    private static boolean isOf(StoredPasskey key, byte @Nullable [] handle) {
        return handle == null || key.handle().equals(Base64Url.encode(handle));
    }

    /**
     * The browser's data for a new passkey.
     *
     * @param state of the account; the challenge is valid while the account has the same state and passkeys
     */
    Map<String, Object> registrationOf(
            String account, Secret state, List<StoredPasskey> keys, BegunRegistration begun) {
        byte[] challenge =
                challenges.make(Purpose.REGISTRATION, inState(account, state, keys), begun.note(), clock.instant());
        Map<String, Object> parameters = parameters(challenge, "preferred");
        parameters.put("rp_name", service.name());
        parameters.put("user_id", handleOf(account, keys));
        parameters.put("user_name", account);
        parameters.put(
                "algorithms",
                PasskeyCheck.ALGORITHMS.stream().map(each -> each.getValue()).toList());
        parameters.put(
                "exclude_credential_ids", keys.stream().map(StoredPasskey::id).toList());
        return parameters;
    }

    private String handleOf(String account, List<StoredPasskey> keys) {
        return keys.isEmpty()
                ? Base64Url.encode(challenges.handleOf(account))
                : keys.get(0).handle();
    }

    /** The begin of this registration; empty if its challenge is for another account, another state or other passkeys. */
    Optional<BegunRegistration> registration(
            String account, Secret state, List<StoredPasskey> keys, byte[] attestationObject, byte[] clientData) {
        return check.challengeOf(attestationObject, clientData)
                .flatMap(claimed -> challenges
                        .open(Purpose.REGISTRATION, inState(account, state, keys), claimed, clock.instant())
                        .map(note -> BegunRegistration.of(
                                note, Challenges.endOf(claimed).minus(Challenges.LIFETIME))));
    }

    /**
     * Includes the ids, because a removed passkey may have proved the begin. The state and the ids have no spaces. The
     * challenge has only the HMAC of this text, because the client sees the challenge.
     */
    private static String inState(String account, Secret state, List<StoredPasskey> keys) {
        String ids = keys.stream().map(StoredPasskey::id).sorted().collect(Collectors.joining(","));
        return state.<String>withBytes(Base64Url::encode) + " " + ids + " " + account;
    }

    /** Stores the new passkey, if the passkey is right, its challenge is unused, and the account has fewer than {@code most}. */
    Optional<StoredPasskey> register(
            String account, String plugin, String name, byte[] attestationObject, byte[] clientData, int most) {
        byte[] challenge = check.challengeOf(attestationObject, clientData).orElseThrow();
        List<StoredPasskey> keys = store.ofAccount(account);
        Instant now = Instant.ofEpochMilli(clock.instant().toEpochMilli());
        return check.register(attestationObject, clientData, challenge)
                .filter(made -> fits(made, keys))
                .filter(made -> spend(challenge, now))
                .map(made -> new StoredPasskey(
                        made.id(),
                        account,
                        keys.isEmpty() ? plugin : keys.get(0).plugin(),
                        handleOf(account, keys),
                        name,
                        made.key(),
                        made.counter(),
                        made.isUserVerified(),
                        made.isBackupEligible(),
                        now,
                        null))
                .filter(key -> store.insert(key, most));
    }

    private static boolean fits(Registered made, List<StoredPasskey> keys) {
        int characters = keys.stream().mapToInt(key -> key.id().length()).sum();
        return Base64Url.decode(Secret.of(made.id()), Assertion.LONGEST_ID).isPresent()
                && made.key().length() <= MOST_KEY_CHARACTERS
                && characters + made.id().length() <= MOST_ID_CHARACTERS;
    }

    private static String digest(byte[] challenge) {
        return Base64Url.encode(Sha256.of(challenge));
    }
}
