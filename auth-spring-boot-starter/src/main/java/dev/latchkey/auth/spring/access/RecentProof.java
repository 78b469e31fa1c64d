package dev.latchkey.auth.spring.access;

import dev.latchkey.auth.Factors;
import dev.latchkey.auth.spring.http.FactorAuthorities;
import dev.latchkey.auth.spring.http.ProofDecision;
import dev.latchkey.auth.spring.plugin.LatchkeyAuthentication;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationManager;
import org.springframework.security.authorization.ReactiveAuthorizationManager;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.access.intercept.RequestAuthorizationContext;
import org.springframework.security.web.server.authorization.AuthorizationContext;

/**
 * Demands that the login was proved a short time ago, as {@code StepUp} does:
 *
 * <pre>{@code
 * .requestMatchers(POST, "/payments").access(recentProof.within(Duration.ofMinutes(5), "otp"))
 *
 * @PreAuthorize("@latchkeyRecentProof.within(authentication, '5m')")
 * }</pre>
 *
 * <p>A denied request is answered with 401 and {@code error="insufficient_user_authentication"}, with {@code max_age} (RFC 9470 section 3):
 * the client proves the login and comes again. A login without known methods and times is denied: the token of a login by password alone, an API key, and
 * on Spring Security 6.5 a login that no plugin decided. Asks no store. Safe for use by any number of threads.
 */
public final class RecentProof {

    private final InstantSource clock;

    RecentProof(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * A rule of a servlet service's filter chain. On WebFlux it is {@link #onWebFlux}.
     *
     * @param most the longest time since the proof
     * @param methods of RFC 8176 that the login must have proved, such as {@code otp}; none for any method
     * @return for {@code access(…)}
     */
    public AuthorizationManager<RequestAuthorizationContext> within(Duration most, String... methods) {
        String[] wanted = methods.clone();
        return Rule.ofLogins(login -> within(login, most, wanted));
    }

    /**
     * A rule of a WebFlux service's filter chain.
     *
     * @param most the longest time since the proof
     * @param methods of RFC 8176 that the login must have proved, such as {@code otp}; none for any method
     * @return for {@code access(…)}
     */
    public ReactiveAuthorizationManager<AuthorizationContext> onWebFlux(Duration most, String... methods) {
        String[] wanted = methods.clone();
        return ReactiveRule.ofLogins(login -> within(login, most, wanted));
    }

    /**
     * For an expression of method security, on servlets and on WebFlux.
     *
     * @param login {@code authentication}
     * @param most the longest time since the proof, such as {@code 5m}
     * @param methods as in {@link #within(Duration, String...)}
     * @return granted or denied
     * @throws IllegalArgumentException if the text is no duration
     */
    public AuthorizationDecision within(@Nullable Authentication login, String most, String... methods) {
        return within(login, DurationStyle.detectAndParse(most), methods);
    }

    /**
     * Decides about a login.
     *
     * @param login null where there is none
     * @param most the longest time since the proof
     * @param methods as in {@link #within(Duration, String...)}
     * @return granted or denied
     */
    public AuthorizationDecision within(@Nullable Authentication login, Duration most, String... methods) {
        Factors factors = factorsOf(login);
        boolean isProved = !factors.methods().isEmpty() && factors.areFresh(clock.instant(), most, methods);
        return new ProofDecision(isProved, most);
    }

    private static Factors factorsOf(@Nullable Authentication login) {
        if (login == null || !login.isAuthenticated()) {
            return Factors.none();
        }
        if (login instanceof LatchkeyAuthentication decided) {
            return decided.factors();
        }
        // A factor without a time is never recent.
        return FactorAuthorities.in(login, Instant.EPOCH);
    }
}
