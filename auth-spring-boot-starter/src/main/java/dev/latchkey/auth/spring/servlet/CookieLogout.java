package dev.latchkey.auth.spring.servlet;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.engine.HeaderFields;
import dev.latchkey.auth.spring.http.LoginCookies;
import dev.latchkey.auth.spring.http.ServletHeaders;
import dev.latchkey.auth.spring.login.TokenRevocation;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.authentication.logout.LogoutHandler;

/**
 * Revokes the tokens of the cookies in the logout of Spring Security. In an outage the browser keeps its cookies, and the
 * request may be repeated.
 *
 * @param revocation empty in a service without the login endpoint
 */
record CookieLogout(LoginCookies cookies, ObjectProvider<TokenRevocation> revocation) implements LogoutHandler {

    /** @throws AuthUnavailableException in an outage; {@link CarriedTokenFilter} answers */
    @Override
    public void logout(HttpServletRequest request, HttpServletResponse response, @Nullable Authentication login) {
        if (CarriedTokenFilter.hasIgnored(request)) {
            return;
        }
        HeaderFields headers = ServletHeaders.of(request);
        TokenRevocation tokens = revocation.getIfAvailable();
        if (tokens != null) {
            cookies.accessIn(headers).ifPresent(tokens::revoke);
            cookies.refreshIn(headers).ifPresent(tokens::revoke);
        }
        cookies.removals().forEach(removal -> response.addHeader("Set-Cookie", removal));
    }
}
