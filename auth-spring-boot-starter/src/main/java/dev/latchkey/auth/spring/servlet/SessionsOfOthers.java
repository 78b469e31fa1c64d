package dev.latchkey.auth.spring.servlet;

import dev.latchkey.auth.spring.plugin.LatchkeyAuthentication;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import org.springframework.security.config.ObjectPostProcessor;
import org.springframework.security.core.context.SecurityContextHolderStrategy;
import org.springframework.security.web.context.NullSecurityContextRepository;
import org.springframework.security.web.session.SessionManagementFilter;

/**
 * Runs before Spring Security's filter for sessions, and hides logins by tokens and API keys. Otherwise such a login would count
 * for the account's {@code maximumSessions}, and end a session of the owner.
 */
final class SessionsOfOthers extends SessionManagementFilter {

    private final SessionManagementFilter sessions;
    private final SecurityContextHolderStrategy holder;

    private SessionsOfOthers(SessionManagementFilter sessions, SecurityContextHolderStrategy holder) {
        super(new NullSecurityContextRepository());
        this.sessions = sessions;
        this.holder = holder;
    }

    /** Inserts this filter before the session filter of a chain. A subclass, because Spring Security needs the class. */
    static ObjectPostProcessor<SessionManagementFilter> inChainsWith(SecurityContextHolderStrategy holder) {
        return new ObjectPostProcessor<SessionManagementFilter>() {
            @Override
            @SuppressWarnings("unchecked") // Spring Security makes this filter, and no subclass of it.
            public <O extends SessionManagementFilter> O postProcess(O filter) {
                return filter instanceof SessionsOfOthers ? filter : (O) new SessionsOfOthers(filter, holder);
            }
        };
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (holder.getContext().getAuthentication() instanceof LatchkeyAuthentication login && login.isOfOneRequest()) {
            chain.doFilter(request, response);
        } else {
            sessions.doFilter(request, response, chain);
        }
    }
}
