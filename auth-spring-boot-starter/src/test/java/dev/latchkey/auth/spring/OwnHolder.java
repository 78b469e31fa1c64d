package dev.latchkey.auth.spring;

import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolderStrategy;
import org.springframework.security.core.context.SecurityContextImpl;

/** A strategy that a service defines as a bean: the login is kept in the bean, and not in the static strategy. */
public final class OwnHolder implements SecurityContextHolderStrategy {

    private final ThreadLocal<SecurityContext> contexts = ThreadLocal.withInitial(SecurityContextImpl::new);

    /** Logs in on this thread. */
    public void logIn(Authentication login) {
        setContext(new SecurityContextImpl(login));
    }

    @Override
    public void clearContext() {
        contexts.remove();
    }

    @Override
    public SecurityContext getContext() {
        return contexts.get();
    }

    @Override
    public void setContext(SecurityContext context) {
        contexts.set(context);
    }

    @Override
    public SecurityContext createEmptyContext() {
        return new SecurityContextImpl();
    }
}
