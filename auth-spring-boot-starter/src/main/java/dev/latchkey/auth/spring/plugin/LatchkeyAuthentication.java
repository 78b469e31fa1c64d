package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.Factors;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.spring.http.FactorAuthorities;
import java.io.Serial;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.Transient;
import org.springframework.security.core.authority.AuthorityUtils;

/**
 * A subject that a plugin authenticated, as Spring Security sees it: {@code getName()} is the subject's id, the principal is
 * the {@link Subject}, and no credentials are kept.
 *
 * <p>A session store may serialise it. What was written without a subject is read as {@code null}, hence as nobody: who has such a session
 * has to log in again.
 */
public sealed class LatchkeyAuthentication extends AbstractAuthenticationToken
        permits LatchkeyAuthentication.OfOneRequest {

    @Serial
    private static final long serialVersionUID = 1L;

    private final Subject subject;

    /**
     * A login of which nothing is known but whose it is.
     *
     * @param subject who has logged in; its authorities are granted
     */
    public LatchkeyAuthentication(Subject subject) {
        this(subject, Factors.none());
    }

    /**
     * A login that was proved by these factors.
     *
     * @param subject who has logged in; its authorities are granted
     * @param factors how that was proved; for each an authority is granted too, as {@link FactorAuthorities} has it
     */
    public LatchkeyAuthentication(Subject subject, Factors factors) {
        super(authorities(subject, factors));
        this.subject = subject;
        setAuthenticated(true);
    }

    /**
     * A login by credentials that each request brings, a token say. Spring Security keeps it in no session: there it would outlive the revocation
     * of these credentials.
     *
     * @param subject who has logged in; its authorities are granted
     * @param factors how that was proved
     * @return good for the request alone
     */
    public static LatchkeyAuthentication ofOneRequest(Subject subject, Factors factors) {
        return new OfOneRequest(subject, factors);
    }

    /**
     * Whether no session may keep this login.
     *
     * @return true for what {@link #ofOneRequest} has made
     */
    public final boolean isOfOneRequest() {
        return this instanceof OfOneRequest;
    }

    private static List<GrantedAuthority> authorities(Subject subject, Factors factors) {
        List<GrantedAuthority> own =
                AuthorityUtils.createAuthorityList(subject.authorities().toArray(String[]::new));
        if (factors.methods().isEmpty()) {
            return own;
        }
        List<GrantedAuthority> all = new ArrayList<>(own);
        all.addAll(FactorAuthorities.of(factors));
        return all;
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

    /** Serialisation makes objects without their constructors, so the subject may be missing here and nowhere else. */
    @Serial
    final @Nullable Object readResolve() {
        @Nullable Subject read = subject;
        return read == null ? null : this;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LatchkeyAuthentication that && super.equals(that) && subject.equals(that.subject);
    }

    @Override
    public int hashCode() {
        return 31 * super.hashCode() + subject.hashCode();
    }

    @Transient
    static final class OfOneRequest extends LatchkeyAuthentication {

        @Serial
        private static final long serialVersionUID = 1L;

        private OfOneRequest(Subject subject, Factors factors) {
            super(subject, factors);
        }
    }
}
