package dev.latchkey.auth.spring.limits;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.login.LoginLimitGate;
import dev.latchkey.auth.guard.login.Reservation;
import dev.latchkey.auth.spring.http.CurrentRequest;
import dev.latchkey.auth.spring.http.StepsAsked;
import dev.latchkey.auth.spring.password.ComparedPassword;
import dev.latchkey.auth.spring.password.ComparedPassword.Unseen;
import dev.latchkey.auth.spring.password.LoginComparison;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AccountStatusException;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolderStrategy;

/**
 * Every login by a name and a password that an authentication manager decides, from top to bottom: HTTP Basic, a form, a
 * controller.
 *
 * <ol>
 *   <li>limits: {@link LoginLimitGate} admits the login ({@link #limited})
 *   <li>decision: the service's manager, which asks the plugins if the chain decides passwords
 *   <li>steps: a password alone is not enough if a plugin requires another step ({@link #complete})
 * </ol>
 *
 * <p>A refusal by a limit is an {@link AuthUnavailableException}, because a filter would treat an authentication exception as a
 * wrong password. A nested manager decides a part of the outer login. {@link CurrentLogin} holds the outer login.
 *
 * @param logins null without limits
 * @param holder of the current login, as the service's filters use it
 * @param unseen the code of the manager that may compare the password of a login without a note in {@link ComparedPassword}
 */
record PasswordLogins(
        AuthenticationManager manager,
        @Nullable LoginLimitGate logins,
        MissingSteps steps,
        Supplier<SecurityContextHolderStrategy> holder,
        Function<Authentication, Unseen> unseen)
        implements AuthenticationManager {

    @Override
    public Authentication authenticate(Authentication request) {
        if (!(request instanceof UsernamePasswordAuthenticationToken)) {
            return manager.authenticate(request);
        }
        return logins == null ? complete(request) : limited(request, logins);
    }

    private Authentication limited(Authentication request, LoginLimitGate limits) {
        // Read now, because the manager erases the password.
        CharSequence text = passwordOf(request);
        Reservation login = limits.begin(request.getName(), text);
        if (login == null) {
            ComparedPassword.asking(CurrentLogin.here(), unseen.apply(request));
            return LoginComparison.partOf(request.getName(), () -> complete(request));
        }
        AttemptResult result = AttemptResult.FAILED;
        LoginComparison compared = new LoginComparison(request.getName());
        ComparedPassword password = new ComparedPassword(text);
        CurrentLogin outer =
                password.within(compared.within(CurrentLogin.here())).bind();
        try {
            ComparedPassword.asking(CurrentLogin.here(), unseen.apply(request));
            Authentication answer = complete(request);
            result = password.answered(answer);
            return answer;
        } catch (AccountStatusException e) {
            result = password.failed(e, AttemptResult.FAILED);
            compared.refused();
            throw e;
        } catch (Throwable e) { // Kotlin code may throw undeclared checked exceptions.
            result = password.failed(e, compared.isOfTheStore(e) ? AttemptResult.NOT_ATTEMPTED : resultOf(e));
            throw e;
        } finally {
            outer.bind();
            limits.end(login, result, password.explaining(result));
        }
    }

    /** Asks the manager and checks the steps. Only asks the manager if the chain or an outer manager checks the steps. */
    private Authentication complete(Authentication request) {
        if (StepsAsked.in(CurrentLogin.here()) != null || !steps.mustCheck()) {
            return manager.authenticate(request);
        }
        // Read now, because a manager may change the request.
        String named = request.getName();
        StepsAsked asked = new StepsAsked();
        Authentication login = asked.within(CurrentLogin.here()).supply(() -> manager.authenticate(request));
        if (login != null && login.isAuthenticated() && !asked.includes(login.getName())) {
            steps.requireOwnName(login);
            List<Challenged> missing = steps.missingOf(login, named, CurrentRequest.context());
            if (!missing.isEmpty()) {
                MissingSteps.refuse(missing, login, holder.get().getContext().getAuthentication());
            }
        }
        return login;
    }

    /**
     * A right but insufficient password costs no budget, like a sufficient password. A manager gives no continuation, so a caller
     * cannot guess the second step here. If the password counted as a wrong password, the owner's own client would use up the
     * budget of the owner's next login with a code.
     */
    static AttemptResult resultOf(Throwable failure) {
        if (failure instanceof AuthUnavailableException end) {
            return LoginLimitGate.resultOf(end);
        }
        return failure instanceof AuthenticationServiceException || StepsAsked.isNotEnough(failure)
                ? AttemptResult.NOT_ATTEMPTED
                : AttemptResult.FAILED;
    }

    static @Nullable CharSequence passwordOf(Authentication request) {
        return request.getCredentials() instanceof CharSequence text ? text : null;
    }
}
