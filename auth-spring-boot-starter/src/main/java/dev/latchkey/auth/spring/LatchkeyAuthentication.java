package dev.latchkey.auth.spring;

import dev.latchkey.auth.Subject;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;

/**
 * A subject that a plugin authenticated, as Spring Security sees it: {@code getName()} is the subject's id, the principal is
 * the {@link Subject}, and no credentials are kept.
 */
public final class LatchkeyAuthentication extends AbstractAuthenticationToken {

    private final transient Subject subject;

    LatchkeyAuthentication(Subject subject) {
        super(AuthorityUtils.createAuthorityList(subject.authorities().toArray(String[]::new)));
        this.subject = subject;
        setAuthenticated(true);
    }

    @Override
    public Subject getPrincipal() {
        return subject;
    }

    @Override
    public String getName() {
        return subject.id();
    }

    /** Always the empty text: what was presented is not kept. */
    @Override
    public Object getCredentials() {
        return "";
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LatchkeyAuthentication that && super.equals(that) && subject.equals(that.subject);
    }

    @Override
    public int hashCode() {
        return 31 * super.hashCode() + subject.hashCode();
    }
}
