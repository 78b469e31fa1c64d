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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What users do with their own keys, for a service's endpoints.
 *
 * <p>A key outlives the session that it was made in. So a session, a token or another key is not enough to make one: else who has stolen one of them would stay. The password is
 * asked for once more, and the responses to all steps that plugins want, whatever device the request comes from. The chain checks both, as a login, and therefore behind the login limits.
 * To list, to rename and to revoke a session does.
 *
 * <p>Blocks. Safe for use by any number of threads.
 */
public final class OwnApiKeys {

    private final AuthChain chain;
    private final ApiKeys keys;

    /**
     * @param chain decides passwords, and has the {@link ApiKeysPlugin} of these keys
     * @param keys those of the plugin
     */
    public OwnApiKeys(AuthChain chain, ApiKeys keys) {
        this.chain = Objects.requireNonNull(chain, "chain");
        this.keys = Objects.requireNonNull(keys, "keys");
    }

    /**
     * As {@link ApiKeys#list}.
     *
     * @param account who asks: the subject's id
     * @return those of this account alone
     */
    public List<ApiKey> list(String account) {
        return keys.list(account);
    }

    /**
     * As {@link ApiKeys#rename}.
     *
     * @param account who asks: the subject's id
     * @param id of the key
     * @param name in place of the one before
     * @return whether the account has such a key
     */
    public boolean rename(String account, String id, String name) {
        return keys.rename(account, id, name);
    }

    /**
     * As {@link ApiKeys#revoke}.
     *
     * @param account who asks: the subject's id
     * @param id of the key
     * @return whether the account had such a key
     */
    public boolean revoke(String account, String id) {
        return keys.revoke(account, id);
    }

    /**
     * Issues a key to the account, with scopes that it may give now.
     *
     * @param account who asks: the subject's id
     * @param proof that it is the account's owner who asks
     * @param wanted its name, its scopes and how long it is good
     * @param context of the request, whose place the login limits count by
     * @return the key, or why there is none
     * @throws AuthUnavailableException if no decision could be reached, or the login limits refuse
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
        return keys.issue(keys.isKnown(known) ? known : KeyOwner.of(account), wanted);
    }

    /**
     * Gives a key of the account another secret.
     *
     * @param account who asks: the subject's id
     * @param proof that it is the account's owner who asks
     * @param id of the key
     * @param wanted how long the former secret stays good, and how long the new one is
     * @param context of the request, whose place the login limits count by
     * @return the new key, which has the same id, or why there is none
     * @throws AuthUnavailableException as {@link #issue}
     */
    public KeyOutcome rotate(String account, OwnerProof proof, String id, KeyRotation wanted, RequestContext context) {
        return loginOf(account, proof, context).isPresent() ? keys.rotate(account, id, wanted) : KeyRefusal.NOT_PROVED;
    }

    private Optional<Authenticated> loginOf(String account, OwnerProof proof, RequestContext context) {
        // A key outlives the login: all steps are wanted, whatever device the request comes from.
        Verdict verdict = chain.prove(proof.login(), proof.responses(), context, added -> {});
        return verdict instanceof Authenticated login && login.subject().id().equals(account)
                ? Optional.of(login)
                : Optional.empty();
    }

    /**
     * That it is the owner of an account who asks.
     *
     * @param login the password of the account
     * @param responses to the steps of the account, by field, such as {@link ChallengeResponse#CODE}; empty where the account has none
     */
    public record OwnerProof(PasswordCredentials login, Map<String, Secret> responses) {

        /**
         * What somebody has shown, of which nothing is checked.
         *
         * @param login the password of the account
         * @param responses to the steps of the account, by field, such as {@link ChallengeResponse#CODE}; empty where the account has none
         */
        public OwnerProof {
            Objects.requireNonNull(login, "login");
            responses = Map.copyOf(responses);
        }
    }
}
