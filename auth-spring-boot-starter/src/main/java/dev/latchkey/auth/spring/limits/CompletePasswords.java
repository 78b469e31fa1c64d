package dev.latchkey.auth.spring.limits;

import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.spring.http.BoundRequest;
import dev.latchkey.auth.spring.http.StepsAsked;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolderStrategy;

/**
 * An authentication manager that lets nobody in by a password alone where a plugin wants another step, whoever decided about the password. Whatever
 * asks a manager (HTTP Basic, a form and what it leaves behind, a controller) gets no success to go on with.
 *
 * <p>A manager that asks another one within decides one login with it. Nobody is asked twice about what the chain has decided.
 */
final class CompletePasswords implements AuthenticationManager {

    private final AuthenticationManager manager;
    private final SecondSteps steps;
    private final Supplier<SecurityContextHolderStrategy> holder;

    /** @param holder where the service's filters keep who is logged in */
    CompletePasswords(
            AuthenticationManager manager, SecondSteps steps, Supplier<SecurityContextHolderStrategy> holder) {
        this.manager = manager;
        this.steps = steps;
        this.holder = holder;
    }

    @Override
    public Authentication authenticate(Authentication request) {
        boolean isConcerned = request instanceof UsernamePasswordAuthenticationToken
                && StepsAsked.current() == null
                && steps.areConcerned();
        return isConcerned ? complete(request) : manager.authenticate(request);
    }

    private Authentication complete(Authentication request) {
        // Read now: a manager may change what it is shown.
        String named = request.getName();
        StepsAsked asked = new StepsAsked();
        StepsAsked.bind(asked);
        Authentication login;
        try {
            login = manager.authenticate(request);
        } finally {
            StepsAsked.bind(null);
        }
        if (login != null && login.isAuthenticated() && !asked.includes(login.getName())) {
            List<Challenged> missing = steps.missingOf(login, named, BoundRequest.current());
            if (!missing.isEmpty()) {
                SecondSteps.refuse(missing, login, holder.get().getContext().getAuthentication());
            }
        }
        return login;
    }
}
