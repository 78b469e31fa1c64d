package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.engine.CurrentLogin;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * The time of a request's login, as far as the session filter knows the time. A part of the {@link CurrentLogin}. A
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
     * @param clock the clock for a thread without such a request
     * @return the bound time; the present time for a thread without such a request
     */
    public static LoginTime here(InstantSource clock) {
        LoginTime bound = CurrentLogin.here().get(PART);
        return bound == null ? new LoginTime(clock.instant(), null) : bound;
    }

    /**
     * Adds this time to a request.
     *
     * @param request the other parts of the request
     * @return a new object with this time
     */
    public CurrentLogin in(CurrentLogin request) {
        return request.with(PART, this);
    }

    /**
     * The time of a login, if the proof of the login does not contain the time.
     *
     * @return the earliest possible time
     */
    public Instant ofLogin() {
        return inSession == null ? begun : inSession;
    }
}
