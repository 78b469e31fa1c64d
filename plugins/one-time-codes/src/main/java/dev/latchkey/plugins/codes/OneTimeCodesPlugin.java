package dev.latchkey.plugins.codes;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsReader;
import dev.latchkey.auth.CredentialsRevoker;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.Passed;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RememberedDevice;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.StepResult;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.WeakHashMap;

/**
 * A login step with one-time codes: after the right password, logins of enrolled accounts need a code. The step applies
 * to the passwords of every plugin.
 *
 * <p>Codes belong to the exact id of the subject, see {@link OwnCodes}. Accounts with the same id in two
 * plugins therefore share their codes. Safe for use by any number of threads.
 */
public final class OneTimeCodesPlugin implements LoginStep, CredentialsReader, CredentialsRevoker {

    /** The plugin's name. */
    public static final String NAME = "one-time-codes";

    private final OneTimeCodes codes;
    /** Ends devices even if this plugin remembers none: another node may remember devices, or this node did before. */
    private final RememberedDevices devices;

    private final boolean isRemembering;
    private volatile boolean isClosed;

    /** Uses of codes that ended in an outage, by the login's challenge. An entry ends when the login drops the challenge. */
    private final Map<Challenged, CodeUse> undecided = Collections.synchronizedMap(new WeakHashMap<>());

    /**
     * A plugin without remembered devices: each login of an enrolled account needs a code.
     *
     * @param codes know the enrolled accounts and check their codes
     */
    public OneTimeCodesPlugin(OneTimeCodes codes) {
        this(codes, RememberedDevices.of(Objects.requireNonNull(codes, "codes"), RememberedDevices.LONGEST), false);
    }

    private OneTimeCodesPlugin(OneTimeCodes codes, RememberedDevices devices, boolean isRemembering) {
        this.codes = codes;
        this.devices = devices;
        this.isRemembering = isRemembering;
    }

    /**
     * A copy that remembers devices, if the user wishes so.
     *
     * @param devices of the same codes
     * @return another plugin
     */
    public OneTimeCodesPlugin rememberingDevices(RememberedDevices devices) {
        return new OneTimeCodesPlugin(codes, Objects.requireNonNull(devices, "devices"), true);
    }

    @Override
    public String name() {
        return NAME;
    }

    /**
     * Reads the token of a remembered device in the place of an access token, so the client can revoke the token. The
     * token is not a login.
     */
    @Override
    public Optional<Credentials> read(RequestContext context) {
        return DeviceToken.sentAsBearer(context).map(Credentials.class::cast);
    }

    @Override
    public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
        requireOpen();
        return codes.isEnrolled(login.subject().id())
                ? Optional.of(Challenged.by(login, Factors.ONE_TIME_CODE))
                : Optional.empty();
    }

    @Override
    public StepResult answer(ChallengeResponse response, RequestContext context) {
        requireOpen();
        return response.code()
                        .filter(code -> isRight(code, response.challenge()))
                        .isPresent()
                ? Passed.step()
                : Rejected.because(RejectionReason.BAD_CREDENTIALS);
    }

    private boolean isRight(Secret code, Challenged challenge) {
        CodeUse use = Optional.ofNullable(undecided.remove(challenge))
                .filter(before -> before.isOf(code))
                .orElseGet(() -> CodeUse.of(code));
        try {
            return codes.use(challenge.soFar().subject().id(), use);
        } catch (AuthUnavailableException e) {
            undecided.put(challenge, use);
            throw e;
        }
    }

    @Override
    public boolean knowsDevice(Authenticated login, RequestContext context) {
        return !isClosed && isRemembering && devices.knows(login, context);
    }

    @Override
    public Optional<RememberedDevice> remember(Authenticated login, RequestContext context) {
        requireOpen();
        return isRemembering ? devices.remember(login, context) : Optional.empty();
    }

    /** Removes the device of this token. */
    @Override
    public boolean revoke(Credentials credentials) {
        requireOpen();
        return credentials instanceof DeviceToken token && devices.revoke(token);
    }

    /** Removes the devices remembered before this time. Returns false, because the enrolment stays. */
    @Override
    public boolean revokeAll(String subjectId, Instant notBefore) {
        devices.forgetBefore(subjectId, notBefore);
        return false;
    }

    @Override
    public void close() {
        isClosed = true;
    }

    /** A closed plugin must not answer: without a challenge, a login would need no code. */
    private void requireOpen() {
        if (isClosed) {
            throw AuthUnavailableException.outage("The plugin " + NAME + " is closed");
        }
    }
}
