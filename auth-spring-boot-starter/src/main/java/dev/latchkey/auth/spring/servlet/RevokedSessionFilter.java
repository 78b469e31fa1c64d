package dev.latchkey.auth.spring.servlet;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.spring.http.ServletRefusals;
import dev.latchkey.auth.spring.plugin.SessionRevocations;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.context.SecurityContextHolderStrategy;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Ends an HTTP session whose subject was revoked after its login. Surrounds the filters of logins, and notes the time of each
 * login in the session. A request without a session costs nothing.
 */
final class RevokedSessionFilter extends OncePerRequestFilter {

    private final SessionRevocations revocations;
    private final SecurityContextHolderStrategy holder;

    RevokedSessionFilter(SessionRevocations revocations, SecurityContextHolderStrategy holder) {
        this.revocations = revocations;
        this.holder = holder;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Instant begun = revocations.now();
        HttpSession session = request.getSession(false);
        String before = session == null ? null : subjectInTheContext();
        if (session != null && before != null) {
            try {
                if (isRevoked(session, before)) {
                    session.invalidate();
                    holder.clearContext();
                    before = null;
                }
            } catch (AuthUnavailableException e) {
                ServletRefusals.write(e, request, response);
                return;
            }
        }
        try {
            chain.doFilter(request, response);
        } finally {
            note(request.getSession(false), before, begun);
        }
    }

    private boolean isRevoked(HttpSession session, String subject) {
        return revocations.isRevoked(
                subject,
                session.getAttribute(SessionRevocations.attributeOf(subject)),
                Instant.ofEpochMilli(session.getCreationTime()));
    }

    private void note(@Nullable HttpSession session, @Nullable String before, Instant begun) {
        String after = session == null ? null : subjectInTheContext();
        if (session != null && after != null && !after.equals(before)) {
            session.setAttribute(SessionRevocations.attributeOf(after), begun.toEpochMilli());
        }
    }

    private @Nullable String subjectInTheContext() {
        return revocations.subjectOf(holder.getContext().getAuthentication()).orElse(null);
    }
}
