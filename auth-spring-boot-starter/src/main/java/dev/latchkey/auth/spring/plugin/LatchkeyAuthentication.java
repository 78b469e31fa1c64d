package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.spring.http.FactorAuthorities;
import java.io.Serial;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.Transient;
import org.springframework.security.core.authority.AuthorityUtils;

/**
 * A subject authenticated by a plugin, for Spring Security: {@code getName()} is the subject's id, the principal is the {@link
 * Subject}, and no credentials are kept.
 *
 * <p>A session store may serialise this object. An object without a subject is read as {@code null}, so the user has to log in
 * again.
 */
public sealed class LatchkeyAuthentication extends AbstractAuthenticationToken
        permits LatchkeyAuthentication.OfOneRequest {

    @Serial
    private static final long serialVersionUID = 1L;

    private final Subject subject;

    /** Null in a session stored by a version without this field. */
    private final @Nullable Factors factors;

    /** Not in a serialised session, because the field is transient. */
    private final transient @Nullable Secret stamp;

    /** Null for a login without a stamp, because its plugin cannot look the account up. */
    private final @Nullable String plugin;

    /**
     * A login without known factors.
     *
     * @param subject the subject; its authorities are granted
     */
    public LatchkeyAuthentication(Subject subject) {
        this(subject, Factors.none());
    }

    /**
     * A login with these factors.
     *
     * @param subject the subject; its authorities are granted
     * @param factors the proofs; each grants an authority, see {@link FactorAuthorities}
     */
    public LatchkeyAuthentication(Subject subject, Factors factors) {
        this(Authenticated.as(subject).withFactors(factors));
    }

    /** A login as a plugin has decided it. */
    LatchkeyAuthentication(Authenticated login) {
        super(authorities(login.subject(), login.factors()));
        this.subject = login.subject();
        this.factors = login.factors();
        this.stamp = login.stamp();
        this.plugin = stamp == null ? null : login.plugin();
        setAuthenticated(true);
    }

    /**
     * A login by credentials of a single request, such as a token. Spring Security keeps this login in no session, because a
     * session would outlive the revocation of the credentials.
     *
     * @param subject the subject; its authorities are granted
     * @param factors the proofs
     * @return valid for the request only
     */
    public static LatchkeyAuthentication ofOneRequest(Subject subject, Factors factors) {
        return new OfOneRequest(subject, factors);
    }

    /**
     * Whether this login must not be kept in a session.
     *
     * @return true for logins of {@link #ofOneRequest}
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

    /**
     * The methods and the time of the proof.
     *
     * @return without methods if the proofs are unknown
     */
    public final Factors factors() {
        return factors == null ? Factors.none() : factors;
    }

    /**
     * The stamp of the account at the check of its password.
     *
     * @return empty if not known, as after a session store has serialised this object
     */
    public final Optional<Secret> stamp() {
        return Optional.ofNullable(stamp);
    }

    /**
     * The plugin that looks the account up. Another plugin may have an account of the same name.
     *
     * @return empty if not known, and if the plugin of the login looks no accounts up
     */
    public final Optional<String> plugin() {
        return Optional.ofNullable(plugin);
    }

    @Override
    public Subject getPrincipal() {
        return subject;
    }

    @Override
    public String getName() {
        return subject.id();
    }

    /** Always the empty text: the credentials are not kept. */
    @Override
    public Object getCredentials() {
        return "";
    }

    /** Deserialisation creates objects without constructors, so the subject may be missing only here. */
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
