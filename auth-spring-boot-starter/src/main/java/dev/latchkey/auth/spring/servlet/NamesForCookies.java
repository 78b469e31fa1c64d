package dev.latchkey.auth.spring.servlet;

import dev.latchkey.auth.spring.plugin.Subjects;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.authentication.RememberMeServices;

/**
 * Remembers only logins whose subject has the login's own name. A remember-me cookie keeps a name alone, so a cookie of an OAuth2
 * login would log in the local account of the same name.
 */
record NamesForCookies(RememberMeServices others, Subjects subjects) implements RememberMeServices {

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
        if (subjects.idOf(login).filter(login.getName()::equals).isPresent()) {
            others.loginSuccess(request, response, login);
        }
    }
}
