package dev.latchkey.auth.spring.servlet;

import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.IssuedCredentials;
import dev.latchkey.auth.spring.http.PresentedCredentials;
import dev.latchkey.auth.spring.http.Problem;
import dev.latchkey.auth.spring.http.RequestContexts;
import dev.latchkey.auth.spring.http.ServletHeaders;
import dev.latchkey.auth.spring.plugin.Subjects;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Objects;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolderStrategy;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses API keys, acting accounts, and accounts of other sources at the paths of {@code http.webAuthn()} for the owner's passkeys.
 * Spring Security's filters accept every authenticated request there, and a passkey logs in as the local account of the name.
 */
final class PasskeyOwnersFilter extends OncePerRequestFilter {

    private static final RequestMatcher PATHS =
            PathPatternRequestMatcher.withDefaults().matcher("/webauthn/register/**");

    private final Subjects subjects;
    private final PresentedCredentials reader;
    private final RequestContexts contexts;
    private final SecurityContextHolderStrategy holder;

    PasskeyOwnersFilter(
            Subjects subjects,
            PresentedCredentials reader,
            RequestContexts contexts,
            SecurityContextHolderStrategy holder) {
        this.subjects = subjects;
        this.reader = reader;
        this.contexts = contexts;
        this.holder = holder;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !PATHS.matches(request);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (isOfAnother() || hasKey(request)) {
            Problem.FORBIDDEN.writeTo(response);
        } else {
            chain.doFilter(request, response);
        }
    }

    private boolean isOfAnother() {
        Authentication login = holder.getContext().getAuthentication();
        return subjects.of(login)
                .filter(subject ->
                        !subject.isOwnLogin() || !subjects.hasNameOfALocalAccount(Objects.requireNonNull(login)))
                .isPresent();
    }

    private boolean hasKey(HttpServletRequest request) {
        Credentials presented = reader.in(
                        contexts.of(ServletHeaders.of(request), () -> ServletHeaders.addressOf(request)),
                        subjects.plugins())
                .credentials();
        return presented instanceof IssuedCredentials && !(presented instanceof BearerToken);
    }
}
