package dev.latchkey.auth.spring.servlet;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.spring.http.LoginTime;
import dev.latchkey.auth.spring.http.ServletRefusals;
import dev.latchkey.auth.spring.plugin.SessionRevocations;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolderStrategy;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Ends an HTTP session if its subject was revoked after the login. Runs around the login filters. Notes the time of each login in
 * the session, and binds the time as {@link LoginTime}. A request without a session asks no store.
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
        List<String> before = List.of();
        Instant loggedIn = null;
        if (session != null) {
            try {
                if (dropLoginsOfOneRequest(session)) {
                    holder.clearContext();
                }
                before = subjectsInTheContext();
                if (revocations.isRevoked(loginInTheContext(), subject -> timeOf(session, subject))) {
                    session.invalidate();
                    holder.clearContext();
                    before = List.of();
                } else if (!before.isEmpty()) {
                    loggedIn = timeOf(session, before.get(0));
                }
            } catch (AuthUnavailableException e) {
                ServletRefusals.write(e, request, response);
                return;
            } catch (IllegalStateException e) {
                requireEnded(session, e);
                holder.clearContext();
                before = List.of();
            }
        }
        CurrentLogin outer =
                new LoginTime(begun, loggedIn).in(CurrentLogin.here()).bind();
        try {
            chain.doFilter(request, response);
        } finally {
            outer.bind();
            HttpSession present = request.getSession(false);
            if (present != null) {
                keep(present, before, begun);
            }
        }
    }

    /** A filter before Spring Security may end a request with an error. Then only the error dispatch passes this filter. */
    @Override
    protected boolean shouldNotFilterErrorDispatch() {
        return false;
    }

    /** Whether a revocation of this subject came since the start of the present request, or may have come during an outage. */
    boolean isRevokedInThisRequest(String subject) {
        try {
            return revocations.isRevokedSince(
                    subject, LoginTime.here(revocations::now).begun());
        } catch (AuthUnavailableException e) {
            return true;
        }
    }

    private static Instant timeOf(HttpSession session, String subject) {
        return SessionRevocations.timeOf(
                session.getAttribute(SessionRevocations.attributeOf(subject)),
                Instant.ofEpochMilli(session.getCreationTime()));
    }

    /**
     * Spring Security saves no login of a single request, but a controller of the service may write the context into the session.
     */
    private boolean dropLoginsOfOneRequest(HttpSession session) {
        if (!SessionRevocations.isOfOneRequest(loginInTheContext())) {
            return false;
        }
        List<String> kept = Collections.list(session.getAttributeNames()).stream()
                .filter(name -> SessionRevocations.keepsLoginOfOneRequest(session.getAttribute(name)))
                .toList();
        kept.forEach(session::removeAttribute);
        return !kept.isEmpty();
    }

    /** Notes the time of a new login in the session. */
    private void keep(HttpSession session, List<String> before, Instant begun) {
        try {
            dropLoginsOfOneRequest(session);
            subjectsInTheContext().stream()
                    .filter(subject -> !before.contains(subject) && !keepsAnotherLoginOf(subject, session))
                    .forEach(subject ->
                            session.setAttribute(SessionRevocations.attributeOf(subject), begun.toEpochMilli()));
        } catch (IllegalStateException e) {
            requireEnded(session, e);
        }
    }

    /** A parallel request may end the session at any time. Then the methods of the session throw this exception. */
    private static void requireEnded(HttpSession session, IllegalStateException failure) {
        try {
            long unused = session.getCreationTime();
        } catch (IllegalStateException e) {
            return;
        }
        throw failure;
    }

    /** In a chain without sessions, a new login must not renew the earlier login that the session keeps for another chain. */
    @SuppressWarnings("ReferenceEquality") // Two logins of one account may be equal.
    private boolean keepsAnotherLoginOf(String subject, HttpSession session) {
        Authentication login = loginInTheContext();
        return SessionRevocations.loginsIn(
                        Collections.list(session.getAttributeNames()).stream().map(session::getAttribute))
                .stream()
                .anyMatch(kept -> kept != login && revocations.subjectsOf(kept).contains(subject));
    }

    private List<String> subjectsInTheContext() {
        return revocations.subjectsOf(loginInTheContext());
    }

    private @Nullable Authentication loginInTheContext() {
        return holder.getContext().getAuthentication();
    }
}
