package dev.latchkey.auth.spring.servlet;

import dev.latchkey.auth.spring.plugin.Subjects;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.authentication.RememberMeServices;

/**
 * Remembers only logins with the name of a local account. A remember-me cookie keeps a name alone: the cookie of an OAuth2 login
 * would log in the local account of this name, and no store of local accounts knows the accounts of other sources.
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
        if (subjects.hasNameOfALocalAccount(login)) {
            others.loginSuccess(request, response, login);
        }
    }
}
