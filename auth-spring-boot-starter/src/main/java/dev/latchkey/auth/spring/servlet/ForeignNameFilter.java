package dev.latchkey.auth.spring.servlet;

import dev.latchkey.auth.spring.plugin.Subjects;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.security.core.context.SecurityContextHolderStrategy;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Takes away a login whose name is the name of another source's subject, such as a local account {@code directory:alice}. Plugins
 * reject such a name themselves; one-time tokens and remember-me cookies ask no plugin.
 */
final class ForeignNameFilter extends OncePerRequestFilter {

    private final Subjects subjects;
    private final SecurityContextHolderStrategy holder;

    ForeignNameFilter(Subjects subjects, SecurityContextHolderStrategy holder) {
        this.subjects = subjects;
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
        if (subjects.hasForeignName(holder.getContext().getAuthentication())) {
            holder.setContext(holder.createEmptyContext());
        }
        chain.doFilter(request, response);
    }
}
