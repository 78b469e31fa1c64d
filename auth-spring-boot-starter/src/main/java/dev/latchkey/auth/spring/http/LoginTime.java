package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.engine.CurrentLogin;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * The time of the login that a request has, as far as the filter of sessions knows the time: a part of the {@link CurrentLogin}. A
 * lasting credential, such as a token, is issued only if no revocation came after this time.
 *
 * @param begun the start of the request
 * @param inSession the time of the login that the session has kept; null without such a login
 */
public record LoginTime(Instant begun, @Nullable Instant inSession) {

    private static final CurrentLogin.Part<LoginTime> PART = new CurrentLogin.Part<>();

    /**
     * The time of the calling thread's request.
     *
     * @param clock for a thread without such a request
     * @return the present time for a thread without such a request
     */
    public static LoginTime here(InstantSource clock) {
        LoginTime bound = CurrentLogin.here().get(PART);
        return bound == null ? new LoginTime(clock.instant(), null) : bound;
    }

    /**
     * A request with this time.
     *
     * @param request to be extended
     * @return another object
     */
    public CurrentLogin in(CurrentLogin request) {
        return request.with(PART, this);
    }

    /**
     * The time of a login whose proof does not tell the time.
     *
     * @return the earliest possible time
     */
    public Instant ofLogin() {
        return inSession == null ? begun : inSession;
    }
}
