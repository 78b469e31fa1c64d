package dev.latchkey.auth.spring.limits;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.login.LimitedLogins;
import dev.latchkey.auth.guard.login.Reservation;
import dev.latchkey.auth.spring.http.StepsAsked;
import dev.latchkey.auth.spring.password.LoginComparison;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AccountStatusException;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authentication.ProviderNotFoundException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;

/**
 * Asks the login limits before an authentication manager decides about a name and a password.
 *
 * <p>A refusal is an {@link AuthUnavailableException}, which no filter takes for a wrong password. A manager that asks another one within makes one
 * attempt with it.
 */
final class LimitedPasswords implements AuthenticationManager {

    private final AuthenticationManager manager;
    private final LimitedLogins logins;

    LimitedPasswords(AuthenticationManager manager, LimitedLogins logins) {
        this.manager = manager;
        this.logins = logins;
    }

    @Override
    public Authentication authenticate(Authentication request) {
        if (!(request instanceof UsernamePasswordAuthenticationToken)) {
            return manager.authenticate(request);
        }
        // Read now: the manager erases it.
        CharSequence password = passwordOf(request);
        Reservation login = logins.begin(request.getName(), password);
        if (login == null) {
            return LoginComparison.within(request.getName(), () -> manager.authenticate(request));
        }
        AttemptResult result = AttemptResult.FAILED;
        LoginComparison compared = LoginComparison.begin(request.getName());
        try {
            Authentication answer = manager.authenticate(request);
            result = resultOf(answer);
            return answer;
        } catch (AccountStatusException e) {
            compared.refused();
            throw e;
        } catch (RuntimeException e) {
            result = resultOf(e);
            throw e;
        } finally {
            LoginComparison.end();
            logins.end(login, result, password);
        }
    }

    static AttemptResult resultOf(@Nullable Authentication answer) {
        if (answer == null) {
            return AttemptResult.NOT_ATTEMPTED;
        }
        return answer.isAuthenticated() ? AttemptResult.SUCCEEDED : AttemptResult.FAILED;
    }

    /**
     * A password that is right and not enough costs nothing, as one that is enough: a manager gives nothing to go on with, so nobody guesses by
     * it at what is wanted besides. If it counted as a wrong one that is repeated, the owner's client that goes on sending it would use up
     * what his own next login with a code has to pass.
     */
    static AttemptResult resultOf(Throwable failure) {
        if (failure instanceof AuthUnavailableException end) {
            return LimitedLogins.resultOf(end);
        }
        return isOutage(failure) || StepsAsked.isNotEnough(failure)
                ? AttemptResult.NOT_ATTEMPTED
                : AttemptResult.FAILED;
    }

    /** Whether this says that no decision was reached, rather than which one. */
    private static boolean isOutage(Throwable failure) {
        return failure instanceof AuthenticationServiceException || failure instanceof ProviderNotFoundException;
    }

    static @Nullable CharSequence passwordOf(Authentication request) {
        return request.getCredentials() instanceof CharSequence text ? text : null;
    }
}
