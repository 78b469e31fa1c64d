package dev.latchkey.plugins.passkeys;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.AuthPluginException;
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
 * The management of a user's own passkeys, for a service's endpoints.
 *
 * <p>A session is not sufficient: with a stolen session, an attacker could register another passkey. Therefore each change
 * needs a new proof of the account: the password and all steps, or a passkey alone. The chain checks the proof like a
 * login, so the login limits apply. An account with passkeys needs a passkey for each change. {@link #challenge} gives the
 * challenge for a passkey after the password.
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
     * @param chain contains the {@link PasskeysPlugin} of these passkeys
     * @param passkeys the passkeys of the plugin
     */
    public OwnPasskeys(AuthChain chain, Passkeys passkeys) {
        this.chain = Objects.requireNonNull(chain, "chain");
        this.passkeys = Objects.requireNonNull(passkeys, "passkeys");
    }

    /**
     * A challenge for {@code responses} of {@link #begin} and {@link #remove}.
     *
     * @param account the id of the calling subject
     * @return the data for the client; empty if the account has no passkeys, and so needs no response
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
     * @return the browser's data for a new passkey; empty if the account is not proved, or already has
     *     {@link PasskeyStore#MOST} passkeys
     * @throws AuthUnavailableException if no decision was possible, or the login limits reject the request
     * @throws AuthPluginException if the account has not
     *     {@linkplain dev.latchkey.auth.engine.DecidedLogins#requireOneName one name}, or a plugin broke its contract
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
            // Another request registered the first passkey during the check of the password.
            return Optional.empty();
        }
        chain.decidedLogins().requireOneName(proved);
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
     * Registers the passkey that the browser made after {@link #begin}. Nothing is registered if the proof of {@code begin}
     * would not be enough now: the account has changed, was revoked, has other passkeys, or needs another step. The new
     * passkey is removed again if the account changes meanwhile.
     *
     * @param account the id of the calling subject
     * @param name for the owner's list, 1 to 100 characters without control characters
     * @param attestationObject {@code response.attestationObject}, in Base64url
     * @param clientDataJson {@code response.clientDataJSON}, in Base64url
     * @param context of the request
     * @return the new passkey; empty if an argument is wrong, the passkey's id is taken, or the account has no room for a
     *     further passkey
     * @throws AuthUnavailableException if no decision was possible
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
     * The account may change, and may be revoked, between the checks and the write. A later removal finds the row. An
     * earlier change is found here.
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
     * Removes a passkey of the account. After the removal of the last passkey, logins need no passkey.
     *
     * @param account the id of the calling subject
     * @param id of the passkey
     * @param login as {@link #begin}
     * @param responses as {@link #begin}
     * @param context as {@link #begin}
     * @return whether the account was proved, and had this passkey
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
