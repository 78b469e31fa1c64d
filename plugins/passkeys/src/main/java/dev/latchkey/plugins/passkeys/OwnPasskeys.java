package dev.latchkey.plugins.passkeys;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.BegunFactors;
import dev.latchkey.plugins.passkeys.Challenges.Purpose;
import dev.latchkey.plugins.passkeys.Passkeys.AccountChallenge;
import dev.latchkey.plugins.passkeys.store.PasskeyStore;
import dev.latchkey.plugins.passkeys.store.StoredPasskey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What users do with their own passkeys, for a service's endpoints.
 *
 * <p>A session is not enough: the thief of a session could register another passkey. The account is therefore proved afresh, by the chain and behind the login
 * limits: by its password and all steps, or by a passkey alone. An account with passkeys shows one of them for each change; {@link #challenge} is asked for it.
 *
 * <p>Blocks. Safe for use by any number of threads.
 */
public final class OwnPasskeys {

    private static final int LONGEST_NAME = 100;
    private static final int LONGEST_ATTESTATION = 8_192;

    private final AuthChain chain;
    private final Passkeys passkeys;
    private final BegunFactors begun = new BegunFactors();

    /**
     * @param chain has the {@link PasskeysPlugin} of these passkeys
     * @param passkeys the same that the plugin checks by
     */
    public OwnPasskeys(AuthChain chain, Passkeys passkeys) {
        this.chain = Objects.requireNonNull(chain, "chain");
        this.passkeys = Objects.requireNonNull(passkeys, "passkeys");
    }

    /**
     * A challenge for {@code responses} of {@link #begin} and {@link #remove}.
     *
     * @param account the id of the calling subject
     * @return what the client needs; empty where the account has no passkeys, so that no response is wanted
     * @throws AuthUnavailableException if the store does not answer
     */
    public Optional<Map<String, Object>> challenge(String account) {
        return passkeys.challenge(Purpose.PROOF, account).map(AccountChallenge::parameters);
    }

    /**
     * Begins to register a passkey.
     *
     * @param account the id of the calling subject
     * @param login the account's password, or {@link PasskeyCredentials}
     * @param responses to the steps of the account, by field
     * @param context of the request; the login limits count by its client IP
     * @return what the browser needs to make a passkey; empty where the account is not proved, or has {@link PasskeyStore#MOST} already
     * @throws AuthUnavailableException if no decision could be reached, or the login limits refuse
     */
    public Optional<Map<String, Object>> begin(
            String account, Credentials login, Map<String, Secret> responses, RequestContext context) {
        List<Runnable> whenConfirmed = new ArrayList<>(1);
        Authenticated proved =
                chain.prove(login, responses, context, whenConfirmed::add) instanceof Authenticated complete
                        ? complete
                        : null;
        List<StoredPasskey> keys = passkeys.stored(account);
        if (proved == null || !isOf(account, proved) || keys.size() >= PasskeyStore.MOST) {
            return Optional.empty();
        }
        BegunRegistration registration = new BegunRegistration(proved.plugin(), proved.factors());
        if (!keys.isEmpty() && !registration.hasShownAPasskey()) {
            // The first passkey was registered while the password was checked.
            return Optional.empty();
        }
        Secret state = chain.decidedLogins().stateOf(account);
        if (!chain.isStillProved(proved, login, context)) {
            return Optional.empty();
        }
        whenConfirmed.forEach(each -> begun.begun(account, each));
        return Optional.of(passkeys.registrationOf(account, state, keys, registration));
    }

    private static boolean isOf(String account, Authenticated proved) {
        return proved.subject().id().equals(account) && Subject.isId(account);
    }

    /**
     * Registers the passkey that the browser made after {@link #begin}. Nothing is registered where the proof of the begin would not be enough now: the account
     * has changed or was revoked, has other passkeys by now, or needs another step. A new passkey is removed again if the account
     * changes meanwhile.
     *
     * @param account the id of the calling subject
     * @param name for the owner's list, 1 to 100 characters without control characters
     * @param attestationObject {@code response.attestationObject}, in Base64url
     * @param clientDataJson {@code response.clientDataJSON}, in Base64url
     * @param context of the request
     * @return the new passkey; empty where anything about it is wrong, where its id is taken, and where the account has enough
     * @throws AuthUnavailableException if no decision could be reached
     */
    public Optional<Passkey> confirm(
            String account, String name, Secret attestationObject, Secret clientDataJson, RequestContext context) {
        byte[] attestation =
                Base64Url.decode(attestationObject, LONGEST_ATTESTATION).orElse(null);
        byte[] clientData =
                Base64Url.decode(clientDataJson, Assertion.LONGEST_CLIENT_DATA).orElse(null);
        if (!isName(name) || attestation == null || clientData == null) {
            return Optional.empty();
        }
        Secret state = chain.decidedLogins().stateOf(account);
        List<StoredPasskey> before = passkeys.stored(account);
        Optional<StoredPasskey> made = passkeys.registration(account, state, before, attestation, clientData)
                .filter(registration -> chain.decidedLogins().areEnough(account, registration.factors(), context))
                .flatMap(registration -> passkeys.register(
                                account,
                                registration.plugin(),
                                name,
                                attestation,
                                clientData,
                                registration.hasShownAPasskey() ? PasskeyStore.MOST : 1)
                        .filter(key -> remains(key, state, before, registration, context)));
        if (made.isPresent()) {
            begun.confirmed(account);
        }
        return made.map(Passkeys::shown);
    }

    /**
     * The account may change, and may be revoked, between the checks and the write. A later removal finds the row; an earlier
     * change is found here.
     */
    private boolean remains(
            StoredPasskey key,
            Secret state,
            List<StoredPasskey> before,
            BegunRegistration registration,
            RequestContext context) {
        boolean isGood = false;
        try {
            // The new passkey is no reason to refuse: the account needs a passkey now.
            Factors shown = registration
                    .factors()
                    .and(Set.of(PasskeysPlugin.KEY), registration.factors().at());
            isGood = idsOf(passkeys.stored(key.account())).containsAll(idsOf(before))
                    && state.matches(chain.decidedLogins().stateOf(key.account()))
                    && chain.decidedLogins().areEnough(key.account(), shown, context);
        } finally {
            if (!isGood) {
                passkeys.remove(key.account(), key.id());
            }
        }
        return isGood;
    }

    private static Set<String> idsOf(List<StoredPasskey> keys) {
        return keys.stream().map(StoredPasskey::id).collect(Collectors.toSet());
    }

    private static boolean isName(String name) {
        return !name.isBlank() && name.length() <= LONGEST_NAME && name.chars().noneMatch(Character::isISOControl);
    }

    /**
     * The account's passkeys, the oldest first.
     *
     * @param account the id of the calling subject
     * @return without their keys
     * @throws AuthUnavailableException if the store does not answer
     */
    public List<Passkey> list(String account) {
        return passkeys.list(account);
    }

    /**
     * Removes a passkey of the account. Without any passkey, the account logs in by password alone.
     *
     * @param account the id of the calling subject
     * @param id of the passkey
     * @param login as {@link #begin}
     * @param responses as {@link #begin}
     * @param context as {@link #begin}
     * @return whether the account was proved, and had it
     * @throws AuthUnavailableException as {@link #begin}
     */
    public boolean remove(
            String account, String id, Credentials login, Map<String, Secret> responses, RequestContext context) {
        return chain.prove(login, responses, context, added -> {}) instanceof Authenticated proved
                && isOf(account, proved)
                && proved.factors().methods().contains(PasskeysPlugin.KEY)
                && passkeys.remove(account, id);
    }
}
