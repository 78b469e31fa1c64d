package dev.latchkey.auth.spring.servlet;

import dev.latchkey.auth.spring.plugin.Subjects;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.authentication.RememberMeServices;
import org.springframework.security.web.authentication.logout.LogoutHandler;

/**
 * Remembers only logins with the name of a local account. A remember-me cookie contains only a name. The cookie of an OAuth2
 * login would therefore log in the local account of this name. No store of local accounts knows the accounts of other sources.
 *
 * @param revokedMeanwhile whether a revocation of the subject came since the start of the request: the login may be of a password
 *     before that revocation
 */
record NamesForCookies(RememberMeServices others, Subjects subjects, Predicate<String> revokedMeanwhile)
        implements RememberMeServices {

    @Override
    public @Nullable Authentication autoLogin(HttpServletRequest request, HttpServletResponse response) {
        return others.autoLogin(request, response);
    }

    @Override
    public void loginFail(HttpServletRequest request, HttpServletResponse response) {
        others.loginFail(request, response);
    }

    @Override
    public void loginSuccess(HttpServletRequest request, HttpServletResponse response, Authentication login) {
        if (!subjects.hasNameOfALocalAccount(login) || revokedMeanwhile.test(login.getName())) {
            return;
        }
        others.loginSuccess(request, response, login);
        // A later revocation deletes the row of the cookie. An earlier revocation is found here, and the row is deleted
        // now.
        if (others instanceof LogoutHandler rows && revokedMeanwhile.test(login.getName())) {
            rows.logout(request, response, login);
        }
    }
}
