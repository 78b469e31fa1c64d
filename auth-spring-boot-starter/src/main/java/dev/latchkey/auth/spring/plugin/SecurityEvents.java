package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthEvent;
import dev.latchkey.auth.engine.AuthListener;
import dev.latchkey.auth.spring.http.StepsAsked;
import java.util.function.Supplier;
import org.springframework.security.authentication.AccountExpiredException;
import org.springframework.security.authentication.AuthenticationEventPublisher;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.CredentialsExpiredException;
import org.springframework.security.authentication.DisabledException;
import org.springframework.security.authentication.LockedException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;

/**
 * Publishes what the plugins decide as Spring Security publishes what its own providers do. So whoever listens to those events, Boot's audit first of
 * all, hears of both.
 *
 * <p>A login that awaits its next step is no event yet. The events hold the account that was claimed and no credentials. Overload and throttling are
 * no events: nothing was checked, and a flood must not fill the audit.
 */
final class SecurityEvents implements AuthListener {

    /** Set while Spring Security's manager asks the chain: the manager publishes itself what came of it. */
    private static final ThreadLocal<Boolean> PUBLISHED_ELSEWHERE = new ThreadLocal<>();

    private final AuthenticationEventPublisher publisher;

    SecurityEvents(AuthenticationEventPublisher publisher) {
        this.publisher = publisher;
    }

    @Override
    public void on(AuthEvent event) {
        if (event instanceof AuthEvent.Decided decided) {
            if (PUBLISHED_ELSEWHERE.get() == null) {
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

    /** The chain's verdict, which whoever asks will publish. */
    static Verdict withoutOwn(Supplier<Verdict> question) {
        PUBLISHED_ELSEWHERE.set(true);
        try {
            return question.get();
        } finally {
            PUBLISHED_ELSEWHERE.remove();
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

    /** Without the credentials. */
    private static Authentication claimed(String account) {
        return UsernamePasswordAuthenticationToken.unauthenticated(account, null);
    }

    /**
     * The refusal in Spring Security's terms, which do not tell an unknown account from a wrong password either. For a password that is right
     * and not enough it is {@link StepsAsked#notEnough}.
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
            case CREDENTIALS_EXPIRED -> new CredentialsExpiredException("The credentials are expired");
            case BAD_CREDENTIALS, UNKNOWN_ACCOUNT, REVOKED, MALFORMED, NOT_RECOGNIZED ->
                new BadCredentialsException("The credentials were not accepted");
        };
    }
}
