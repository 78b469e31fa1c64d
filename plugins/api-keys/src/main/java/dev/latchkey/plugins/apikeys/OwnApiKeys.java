package dev.latchkey.plugins.apikeys;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.plugins.apikeys.store.KeyOwner;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The management of a user's own keys, for a service's endpoints.
 *
 * <p>A key lives longer than the session of its creation. Therefore a session, a token or another key is not sufficient
 * to create a key: a thief would keep access. Each issue and rotation needs the password again, and the responses to
 * all steps, even from a remembered device. The chain checks both like a login, so the login limits apply. A session is
 * sufficient to list, rename and revoke keys.
 *
 * <p>Blocks. Safe for use by any number of threads.
 */
public final class OwnApiKeys {

    private final AuthChain chain;
    private final ApiKeys keys;

    /**
     * @param chain checks passwords, and contains the {@link ApiKeysPlugin} of these keys
     * @param keys the keys of the plugin
     */
    public OwnApiKeys(AuthChain chain, ApiKeys keys) {
        this.chain = Objects.requireNonNull(chain, "chain");
        this.keys = Objects.requireNonNull(keys, "keys");
    }

    /**
     * See {@link ApiKeys#list}.
     *
     * @param account the subject's id of the caller
     * @return only keys of this account
     */
    public List<ApiKey> list(String account) {
        return keys.list(account);
    }

    /**
     * See {@link ApiKeys#rename}.
     *
     * @param account the subject's id of the caller
     * @param id of the key
     * @param name the new name
     * @return whether the account has this key
     */
    public boolean rename(String account, String id, String name) {
        return keys.rename(account, id, name);
    }

    /**
     * See {@link ApiKeys#revoke}.
     *
     * @param account the subject's id of the caller
     * @param id of the key
     * @return whether the account had this key
     */
    public boolean revoke(String account, String id) {
        return keys.revoke(account, id);
    }

    /**
     * Issues a key for the account, with scopes that the account may grant now.
     *
     * @param account the subject's id of the caller
     * @param proof of the account's owner
     * @param wanted name, scopes and lifetime
     * @param context of the request; the login limits count by its client IP
     * @return the key, or the reason of the refusal
     * @throws AuthUnavailableException if no decision was possible, or the login limits reject the request
     */
    public KeyOutcome issue(String account, OwnerProof proof, KeyRequest wanted, RequestContext context) {
        Optional<Authenticated> login = loginOf(account, proof, context);
        if (login.isEmpty()) {
            return KeyRefusal.NOT_PROVED;
        }
        boolean mayGiveAll = wanted.scopes().stream()
                .allMatch(scope ->
                        keys.scopes().mayBeGiven(scope, login.get().subject().authorities()));
        if (!mayGiveAll) {
            return KeyRefusal.SCOPE_NOT_HELD;
        }
        KeyOwner known = KeyOwner.of(login.get());
        KeyOutcome outcome =
                keys.issue(keys.isKnown(known) ? known : KeyOwner.of(account), wanted, startOf(login.get()));
        return outcome instanceof IssuedKey issued ? unlessEnded(issued, login.get(), proof, context) : outcome;
    }

    /** With the start of the login, a revocation during the login ends the key too. A login may create its account later. */
    private static Instant startOf(Authenticated login) {
        Instant begun = login.factors().at();
        Instant created = login.created();
        return created != null && created.isAfter(begun) ? created : begun;
    }

    /**
     * The password may change, and the account may be revoked, between the proof and the new key. A revocation is
     * recorded before rows are deleted ({@link AuthChain#withRevoker}). So a later revocation finds the row and deletes
     * the row. An earlier revocation is found here. After an outage of this check, nobody gets the key.
     */
    private KeyOutcome unlessEnded(IssuedKey issued, Authenticated login, OwnerProof proof, RequestContext context) {
        boolean isGood = false;
        try {
            isGood = chain.isStillProved(login, proof.login(), context);
        } finally {
            if (!isGood) {
                keys.revoke(login.subject().id(), issued.key().id());
            }
        }
        return isGood ? issued : KeyRefusal.NOT_PROVED;
    }

    /**
     * Replaces the secret of a key. If the password changes or the account is revoked meanwhile, the key is revoked. After
     * an exception, the key is as before.
     *
     * @param account the subject's id of the caller
     * @param proof of the account's owner
     * @param id of the key
     * @param wanted the overlap, and the lifetime of the new secret
     * @param context of the request; the login limits count by its client IP
     * @return the new key with the same id, or the reason of the refusal
     * @throws AuthUnavailableException like {@link #issue}
     */
    public KeyOutcome rotate(String account, OwnerProof proof, String id, KeyRotation wanted, RequestContext context) {
        Optional<Authenticated> login = loginOf(account, proof, context);
        return login.isEmpty()
                ? KeyRefusal.NOT_PROVED
                : keys.rotate(account, id, wanted, () -> chain.isStillProved(login.get(), proof.login(), context));
    }

    private Optional<Authenticated> loginOf(String account, OwnerProof proof, RequestContext context) {
        // A key lives longer than the login, so all steps are necessary, even from a remembered device.
        Verdict verdict = chain.prove(proof.login(), proof.responses(), context, added -> {});
        return verdict instanceof Authenticated login && login.subject().id().equals(account)
                ? Optional.of(login)
                : Optional.empty();
    }

    /**
     * The proof of an account's owner.
     *
     * @param login the password of the account
     * @param responses for the account's steps, by field, such as {@link ChallengeResponse#CODE}; empty without steps
     */
    public record OwnerProof(PasswordCredentials login, Map<String, Secret> responses) {

        /**
         * An unchecked proof.
         *
         * @param login the password of the account
         * @param responses for the account's steps, by field
         */
        public OwnerProof {
            Objects.requireNonNull(login, "login");
            responses = Map.copyOf(responses);
        }
    }
}
