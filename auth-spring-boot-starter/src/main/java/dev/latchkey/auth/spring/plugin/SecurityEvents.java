package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthEvent;
import dev.latchkey.auth.engine.AuthListener;
import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.spring.http.StepsAsked;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.security.authentication.AccountExpiredException;
import org.springframework.security.authentication.AuthenticationEventPublisher;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.CredentialsExpiredException;
import org.springframework.security.authentication.DefaultAuthenticationEventPublisher;
import org.springframework.security.authentication.DisabledException;
import org.springframework.security.authentication.LockedException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.authentication.password.CompromisedPasswordException;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;

/**
 * Publishes the plugins' decisions as Spring Security publishes its own providers' decisions. So Boot's audit, for example,
 * records both.
 *
 * <p>A login with an open step is no event yet. A success contains the subject, and a failure contains the claimed account. No
 * event contains credentials. Overload and rate limits are no events: nothing was checked, and a flood must not fill the audit.
 *
 * <p>No bean: a service replaces the {@link AuthenticationEventPublisher}, as for Spring Security's own providers.
 */
record SecurityEvents(AuthenticationEventPublisher publisher) implements AuthListener {

    private static final CurrentLogin.Part<Boolean> BY_MANAGER = new CurrentLogin.Part<>();

    /** By the service's publisher, or by Spring Security's default if there is no unique publisher. */
    static SecurityEvents in(BeanFactory beans, ApplicationEventPublisher events) {
        return new SecurityEvents(beans.getBeanProvider(AuthenticationEventPublisher.class)
                .getIfUnique(() -> new DefaultAuthenticationEventPublisher(events)));
    }

    /** For a login of Spring Security's manager: the manager publishes the decision. An outage is still published here. */
    static CurrentLogin publishedByManager(CurrentLogin login) {
        return login.with(BY_MANAGER, true);
    }

    @Override
    public void on(AuthEvent event) {
        if (event instanceof AuthEvent.Decided decided) {
            if (CurrentLogin.here().get(BY_MANAGER) == null) {
                publish(decided);
            }
        } else if (event instanceof AuthEvent.Unavailable unavailable) {
            if (unavailable.cause() == AuthUnavailableException.Kind.OUTAGE) {
                failed(unavailable.account(), new AuthenticationServiceException("No decision could be reached"));
            }
        } else if (event instanceof AuthEvent.Failed failed) {
            failed(failed.account(), new AuthenticationServiceException("A plugin failed"));
        }
    }

    private void publish(AuthEvent.Decided event) {
        if (event.verdict() instanceof Authenticated authenticated) {
            publisher.publishAuthenticationSuccess(
                    new LatchkeyAuthentication(authenticated.subject(), authenticated.factors()));
        } else if (event.verdict() instanceof Rejected) {
            failed(event.account(), exceptionFor(event.verdict()));
        }
    }

    private void failed(String account, AuthenticationException cause) {
        publisher.publishAuthenticationFailure(cause, claimed(account));
    }

    /** The claimed account, without the credentials. */
    private static Authentication claimed(String account) {
        return UsernamePasswordAuthenticationToken.unauthenticated(account, null);
    }

    /**
     * The rejection as an exception of Spring Security, the same for an unknown account and a wrong password. For a right but
     * insufficient password, the exception is {@link StepsAsked#notEnough}.
     */
    static AuthenticationException exceptionFor(Verdict refusal) {
        if (refusal instanceof Challenged) {
            return StepsAsked.notEnough();
        }
        RejectionReason reason =
                refusal instanceof Rejected rejected ? rejected.reason() : RejectionReason.BAD_CREDENTIALS;
        return switch (reason) {
            case ACCOUNT_DISABLED -> new DisabledException("The account is disabled");
            case ACCOUNT_LOCKED -> new LockedException("The account is locked");
            case ACCOUNT_EXPIRED -> new AccountExpiredException("The account is expired");
            case CREDENTIALS_EXPIRED ->
                refusal.equals(UserDetailsPlugin.COMPROMISED)
                        ? new CompromisedPasswordException("The password is compromised")
                        : new CredentialsExpiredException("The credentials are expired");
            case BAD_CREDENTIALS, UNKNOWN_ACCOUNT, REVOKED, MALFORMED, NOT_RECOGNIZED ->
                new BadCredentialsException("The credentials were not accepted");
        };
    }
}
