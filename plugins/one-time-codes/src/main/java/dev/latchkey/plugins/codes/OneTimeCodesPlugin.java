package dev.latchkey.plugins.codes;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RememberedDevice;
import dev.latchkey.auth.RequestContext;
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
public final class OneTimeCodesPlugin implements AuthPlugin {

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

    @Override
    public boolean supports(Class<? extends Credentials> kind) {
        return kind == ChallengeResponse.class || (devices != null && kind == DeviceToken.class);
    }

    /** A remembered device's token in place of an access token, which it is not: read so that it can be revoked. */
    @Override
    public Optional<Credentials> read(RequestContext context) {
        return devices == null
                ? Optional.empty()
                : DeviceToken.sentAsBearer(context).map(Credentials.class::cast);
    }

    @Override
    public Decision authenticate(Credentials credentials, RequestContext context) {
        if (credentials instanceof DeviceToken) {
            return Rejected.because(RejectionReason.NOT_RECOGNIZED);
        }
        if (!(credentials instanceof ChallengeResponse given)) {
            return Decision.abstained();
        }
        requireOpen();
        Authenticated soFar = given.challenge().soFar();
        return codes.use(soFar.subject().id(), given.response())
                ? soFar
                : Rejected.because(RejectionReason.BAD_CREDENTIALS);
    }

    @Override
    public Optional<Challenged> secondStep(Authenticated login, RequestContext context) {
        requireOpen();
        return codes.isEnrolled(login.subject().id()) && !isFromAKnownDevice(login, context)
                ? Optional.of(Challenged.by(login, Factors.ONE_TIME_CODE))
                : Optional.empty();
    }

    private boolean isFromAKnownDevice(Authenticated login, RequestContext context) {
        return devices != null && devices.knows(login, context);
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

    /** Forgets the devices that were remembered before. False, since codes are good as before. */
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
