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
import dev.latchkey.auth.StepResult;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Asks accounts that have enrolled for a one-time code once their password was right, whichever plugin decided that.
 *
 * <p>Goes by the subject's id, as revocation does: accounts of one id in two plugins have their codes in common. Safe for use by any number of
 * threads.
 */
public final class OneTimeCodesPlugin implements LoginStep, CredentialsReader, CredentialsRevoker {

    /** Its name. */
    public static final String NAME = "one-time-codes";

    private final OneTimeCodes codes;
    private final @Nullable RememberedDevices devices;
    private volatile boolean isClosed;

    /**
     * Remembers no devices: each login is asked.
     *
     * @param codes say who has enrolled, and which codes are right
     */
    public OneTimeCodesPlugin(OneTimeCodes codes) {
        this(codes, null);
    }

    private OneTimeCodesPlugin(OneTimeCodes codes, @Nullable RememberedDevices devices) {
        this.codes = Objects.requireNonNull(codes, "codes");
        this.devices = devices;
    }

    /**
     * The same, remembering devices whose owners wish it.
     *
     * @param devices of the same codes
     * @return another plugin; this one stays as it is
     */
    public OneTimeCodesPlugin rememberingDevices(RememberedDevices devices) {
        return new OneTimeCodesPlugin(codes, Objects.requireNonNull(devices, "devices"));
    }

    @Override
    public String name() {
        return NAME;
    }

    /** The token of a remembered device, sent in place of an access token. The plugin reads the token so that the caller can revoke it; it logs nobody in. */
    @Override
    public Optional<Credentials> read(RequestContext context) {
        return devices == null
                ? Optional.empty()
                : DeviceToken.sentAsBearer(context).map(Credentials.class::cast);
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
        String account = response.challenge().soFar().subject().id();
        return response.code().filter(code -> codes.use(account, code)).isPresent()
                ? Passed.step()
                : Rejected.because(RejectionReason.BAD_CREDENTIALS);
    }

    @Override
    public boolean knowsDevice(Authenticated login, RequestContext context) {
        return !isClosed && devices != null && devices.knows(login, context);
    }

    @Override
    public Optional<RememberedDevice> remember(Authenticated login, RequestContext context) {
        requireOpen();
        return devices == null ? Optional.empty() : devices.remember(login, context);
    }

    /** Forgets the device of this token. */
    @Override
    public boolean revoke(Credentials credentials) {
        requireOpen();
        return devices != null && credentials instanceof DeviceToken token && devices.revoke(token);
    }

    /** Forgets the devices that were remembered before. False, since the enrolment stays. */
    @Override
    public boolean revokeAll(String subjectId, Instant notBefore) {
        if (devices != null) {
            devices.forgetBefore(subjectId, notBefore);
        }
        return false;
    }

    @Override
    public void close() {
        isClosed = true;
    }

    /** Not to ask any more would let everybody in without. */
    private void requireOpen() {
        if (isClosed) {
            throw AuthUnavailableException.outage("The plugin " + NAME + " is closed");
        }
    }
}
