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
import dev.latchkey.auth.RequestContext;
import java.util.Objects;
import java.util.Optional;

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
    private volatile boolean isClosed;

    public OneTimeCodesPlugin(OneTimeCodes codes) {
        this.codes = Objects.requireNonNull(codes, "codes");
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean supports(Class<? extends Credentials> kind) {
        return kind == ChallengeResponse.class;
    }

    @Override
    public Decision authenticate(Credentials credentials, RequestContext context) {
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
        return codes.isEnrolled(login.subject().id())
                ? Optional.of(Challenged.by(login, Factors.ONE_TIME_CODE))
                : Optional.empty();
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
