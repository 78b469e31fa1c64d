package dev.latchkey.plugins.codes.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;

/**
 * Logins that Spring Security decided by a password alone: HTTP Basic, and sessions that a form began. It asks no plugin for a second step, so
 * an account that has enrolled is refused there: else who knows the password would take that way.
 *
 * <p>The answer is 401 with {@code insufficient_user_authentication} (RFC 9470 section 3), and no challenge for HTTP Basic, which a browser would ask
 * its user for again. The client logs in at the login endpoint.
 */
final class PasswordAlone {

    static final String CHALLENGE = "Bearer error=\"insufficient_user_authentication\"";

    /** Behind Spring Security's filters, which are at -100. */
    static final int AFTER_SECURITY = -99;

    /** What Spring Security 7 gives who has shown a one-time code, in a way of the service's own. */
    private static final String FACTOR = "FACTOR_OTT";

    private PasswordAlone() {}

    static boolean isByPassword(@Nullable Authentication login) {
        return login instanceof UsernamePasswordAuthenticationToken
                && login.isAuthenticated()
                && login.getAuthorities().stream().noneMatch(each -> FACTOR.equals(each.getAuthority()));
    }
}
