package dev.latchkey.plugins.passkeys;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.GrantReader;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.Passed;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.StepResult;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.Sha256;
import dev.latchkey.plugins.passkeys.Challenges.Purpose;
import dev.latchkey.plugins.passkeys.PasskeyCheck.Proof;
import dev.latchkey.plugins.passkeys.store.StoredPasskey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * Passkeys in a chain, in two roles.
 *
 * <p><b>As a step</b>, every account with a passkey needs the passkey after its password, for passwords of every plugin.
 *
 * <p><b>As first factor</b>, a passkey logs its account in by a grant of the type {@value #GRANT_TYPE}. The account's own
 * source decides about the present state and authorities of the account. If the source cannot look accounts up, its
 * accounts cannot log in by passkey. The authenticator must have verified its user, so the passkey proves two factors,
 * without a further step of this plugin. Steps of other plugins are necessary as after a password, because this plugin
 * does not know their purpose.
 *
 * <p>Uses the subject's id, as the service names the subject. {@link dev.latchkey.auth.engine.AuthChain#revokeAll} keeps
 * passkeys: a change of the password ends sessions only. Safe for use by any number of threads.
 */
public final class PasskeysPlugin implements LoginStep, LoginSource<PasskeyCredentials>, GrantReader {

    /** The name of the plugin. */
    public static final String NAME = "passkeys";

    /** The grant of a login by a passkey alone. */
    public static final String GRANT_TYPE = "urn:latchkey:params:oauth:grant-type:passkey";

    /** RFC 8176: possession of a key in hardware; the method of the step. */
    public static final String KEY = "hwk";

    /** RFC 8176: a user touched the authenticator. */
    public static final String PRESENCE = "user";

    /** RFC 8176: the authenticator has verified its user, so the passkey alone is two factors. */
    public static final String VERIFIED = "mfa";

    private static final Rejected WRONG = Rejected.because(RejectionReason.BAD_CREDENTIALS);

    private final Passkeys passkeys;
    private final BiFunction<String, String, Optional<Verdict>> accounts;
    private final InstantSource clock;
    private volatile boolean isClosed;

    /**
     * A plugin with the system's time.
     *
     * @param passkeys check the responses of clients
     * @param accounts finds the account of a passkey at a login by the passkey alone, on any thread, by the plugin's name and
     *     the subject's id: {@link dev.latchkey.auth.engine.DecidedLogins#account}
     */
    public PasskeysPlugin(Passkeys passkeys, BiFunction<String, String, Optional<Verdict>> accounts) {
        this(passkeys, accounts, InstantSource.system());
    }

    private PasskeysPlugin(
            Passkeys passkeys, BiFunction<String, String, Optional<Verdict>> accounts, InstantSource clock) {
        this.passkeys = Objects.requireNonNull(passkeys, "passkeys");
        this.accounts = Objects.requireNonNull(accounts, "accounts");
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    /**
     * The same with another source of time.
     *
     * @param other for the time of the factors
     * @return another plugin; the present plugin is unchanged
     */
    public PasskeysPlugin withClock(InstantSource other) {
        return new PasskeysPlugin(passkeys, accounts, other);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
        requireOpen();
        if (login.plugin().equals(NAME)) {
            return Optional.empty();
        }
        return passkeys.challenge(Purpose.STEP, login.subject().id()).map(made -> {
            Challenged challenged = Challenged.by(login, KEY).withState(made.challenge());
            for (Map.Entry<String, Object> parameter : made.parameters().entrySet()) {
                challenged = challenged.withParameter(parameter.getKey(), parameter.getValue());
            }
            return challenged;
        });
    }

    @Override
    public StepResult answer(ChallengeResponse response, RequestContext context) {
        requireOpen();
        String account = response.challenge().soFar().subject().id();
        byte[] given = response.challenge()
                .state()
                .map(state -> state.withBytes(byte[]::clone))
                .orElseGet(() -> new byte[0]);
        Optional<Proof> proof =
                Assertion.of(response::field).flatMap(assertion -> passkeys.useAsStep(account, given, assertion));
        return proof.<StepResult>map(said -> said.isUserVerified()
                        ? Passed.step().withFactors(PRESENCE, VERIFIED)
                        : Passed.step().withFactors(PRESENCE))
                .orElse(WRONG);
    }

    @Override
    public Class<PasskeyCredentials> kind() {
        return PasskeyCredentials.class;
    }

    @Override
    public Decision authenticate(PasskeyCredentials credentials, RequestContext context) {
        requireOpen();
        Optional<StoredPasskey> used = credentials.assertion().flatMap(passkeys::useAsLogin);
        return used.<Decision>map(this::stateOf).orElse(WRONG);
    }

    /**
     * The account's state, with the factors of a login by passkey, and with the stamp of {@link #account}. The passkey may
     * be removed after its use. The stamp would then be of the remaining passkeys, and the session could be refreshed.
     */
    private Decision stateOf(StoredPasskey used) {
        List<StoredPasskey> keys = passkeys.stored(used.account());
        if (keys.stream().noneMatch(key -> key.id().equals(used.id()))) {
            return WRONG;
        }
        Verdict state = account(used.account(), keys)
                .filter(found -> !(found instanceof Authenticated present && present.isYoungerThan(used.created())))
                .orElse(Rejected.because(RejectionReason.UNKNOWN_ACCOUNT));
        return state instanceof Authenticated present
                ? present.withFactors(Factors.of(clock.instant(), KEY, PRESENCE, VERIFIED))
                : state;
    }

    /**
     * The account from its own source, if the account has passkeys. The stamp changes with the account's credentials and
     * with the account's set of passkeys: sessions of a removed passkey cannot be refreshed.
     */
    @Override
    public Optional<Verdict> account(String subjectId) {
        requireOpen();
        List<StoredPasskey> keys = passkeys.stored(subjectId);
        return keys.isEmpty() ? Optional.empty() : account(subjectId, keys);
    }

    private Optional<Verdict> account(String subjectId, List<StoredPasskey> keys) {
        return accounts.apply(keys.get(0).plugin(), subjectId)
                .map(state -> state instanceof Authenticated present ? ofKeys(present, keys) : state);
    }

    private static Authenticated ofKeys(Authenticated account, List<StoredPasskey> keys) {
        Authenticated login = account.withFactors(Factors.none());
        Secret stamp = account.stamp();
        return stamp == null ? login : login.withStamp(stamp(stamp, keys));
    }

    private static Secret stamp(Secret ofAccount, List<StoredPasskey> keys) {
        MessageDigest digest = Sha256.start();
        keys.stream()
                .map(StoredPasskey::id)
                .sorted()
                .forEach(id -> digest.update((id + " ").getBytes(StandardCharsets.US_ASCII)));
        byte[] all = ofAccount.withBytes(bytes -> digest.digest(bytes));
        return Secret.of(all);
    }

    @Override
    public Set<String> grantTypes() {
        return Set.of(GRANT_TYPE);
    }

    @Override
    public Optional<Credentials> read(String grantType, Map<String, Secret> fields, RequestContext context) {
        return PasskeyCredentials.of(fields)
                .filter(read -> read.assertion().isPresent())
                .map(Credentials.class::cast);
    }

    @Override
    public void close() {
        isClosed = true;
    }

    /** A closed plugin must not answer: without a challenge, a login would need no passkey. */
    private void requireOpen() {
        if (isClosed) {
            throw AuthUnavailableException.outage("The plugin " + NAME + " is closed");
        }
    }
}
