package dev.latchkey.auth.spring.servlet;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.spring.http.ServletRefusals;
import dev.latchkey.auth.spring.plugin.SessionRevocations;
import dev.latchkey.auth.spring.plugin.Subjects;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolderStrategy;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Takes away a login of Spring Security that the login endpoint would reject: a local account {@code directory:alice}, named like
 * another source's subject, and an account that may not log in yet. One-time tokens, remember-me cookies and HTTP Basic ask
 * neither plugins nor revocations.
 */
final class OtherLoginsFilter extends OncePerRequestFilter {

    private final Subjects subjects;
    private final @Nullable SessionRevocations revocations;
    private final SecurityContextHolderStrategy holder;

    /** @param revocations null in a service without a revocation store */
    OtherLoginsFilter(
            Subjects subjects, @Nullable SessionRevocations revocations, SecurityContextHolderStrategy holder) {
        this.subjects = subjects;
        this.revocations = revocations;
        this.holder = holder;
    }

    @Override
    protected boolean shouldNotFilterErrorDispatch() {
        return false;
    }

    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return false;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Authentication login = holder.getContext().getAuthentication();
        try {
            if (subjects.hasForeignName(login) || (revocations != null && revocations.isBarred(login))) {
                holder.setContext(holder.createEmptyContext());
            }
        } catch (AuthUnavailableException e) {
            ServletRefusals.write(e, request, response);
            return;
        }
        chain.doFilter(request, response);
    }
}
