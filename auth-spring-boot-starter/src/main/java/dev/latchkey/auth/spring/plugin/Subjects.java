package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.Callers;
import dev.latchkey.auth.jwt.JwtRevocations;
import dev.latchkey.auth.spring.http.FactorAuthorities;
import java.security.Principal;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationTrustResolver;
import org.springframework.security.authentication.AuthenticationTrustResolverImpl;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.core.ClaimAccessor;
import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;
import org.springframework.security.oauth2.core.OAuth2Token;
import org.springframework.security.web.authentication.switchuser.SwitchUserGrantedAuthority;
import org.springframework.util.ClassUtils;

/**
 * The subjects of Spring Security's logins.
 *
 * <p>A login by a plugin has its {@link Subject}. A login at an {@linkplain OutsideSources outside source} has the name that the
 * chain gives to the source's accounts. Any other login has its own name. In a switched login, the account before the switch is
 * the actor. Safe for use by any number of threads.
 *
 * @param plugins name the subjects
 */
public record Subjects(AuthChain plugins) implements Callers {

    private static final AuthenticationTrustResolver TRUST = new AuthenticationTrustResolverImpl();

    private static final boolean HAS_CLAIMS = ClassUtils.isPresent(
            "org.springframework.security.oauth2.core.ClaimAccessor", Subjects.class.getClassLoader());

    private static final boolean HAS_SWITCH = ClassUtils.isPresent(
            "org.springframework.security.web.authentication.switchuser.SwitchUserGrantedAuthority",
            Subjects.class.getClassLoader());

    @Override
    public Optional<Subject> of(@Nullable Principal caller) {
        return caller instanceof Authentication login ? of(login) : Optional.empty();
    }

    /**
     * The subject of a login, for permission checks.
     *
     * @param login of Spring Security; null without a login
     * @return empty without a login, for an anonymous login, for a {@linkplain #hasForeignName foreign name}, and for a name that
     *     no subject can have. Such a caller has no permission
     */
    public Optional<Subject> of(@Nullable Authentication login) {
        if (login instanceof LatchkeyAuthentication decided && decided.isAuthenticated()) {
            return Optional.of(decided.getPrincipal());
        }
        return idOf(login).map(id -> named(id, Objects.requireNonNull(login)));
    }

    /**
     * The id of a login's subject.
     *
     * @param login of Spring Security; null without a login
     * @return empty where {@link #of(Authentication)} is empty
     */
    public Optional<String> idOf(@Nullable Authentication login) {
        if (login == null || !TRUST.isAuthenticated(login)) {
            return Optional.empty();
        }
        return OutsideSources.nameOf(login)
                .map(name -> plugins.outsideLogins().nameOf(name.source(), name.id()))
                .orElseGet(() -> hasForeignName(login) ? Optional.empty() : Optional.ofNullable(login.getName()))
                .filter(Subject::isId);
    }

    /**
     * Whether a local account of the login's name is the login's subject.
     *
     * @param login of Spring Security
     * @return false for the subjects of other sources
     */
    public boolean hasNameOfALocalAccount(Authentication login) {
        return idOf(login)
                .filter(id -> id.equals(login.getName()))
                .filter(id -> !plugins.outsideLogins().isForeignName(id))
                .isPresent();
    }

    /**
     * Whether a login has the name of another source's subject, such as a local account {@code directory:alice}.
     *
     * @param login of Spring Security; null without a login
     * @return false for logins that the chain named itself, and for tokens of a resource server, which the issuer named
     */
    public boolean hasForeignName(@Nullable Authentication login) {
        return login != null
                && !(login instanceof LatchkeyAuthentication)
                && login.getName() != null
                && plugins.outsideLogins().isForeignName(login.getName())
                && OutsideSources.nameOf(login).isEmpty()
                && !(HAS_CLAIMS && Claims.name(login));
    }

    /**
     * Whether a token authenticated the request of a login. A resource server with a converter of its own may make a login of any
     * type, with the token as credentials.
     *
     * @param login of Spring Security
     * @return false if the converter drops the token
     */
    public static boolean hasATokenAsCredentials(Authentication login) {
        return HAS_CLAIMS && Claims.isToken(login.getCredentials());
    }

    /**
     * The login of the actor, if Spring Security's {@code SwitchUserFilter} or {@code SwitchUserWebFilter} has switched the user.
     *
     * @param login of Spring Security
     * @return empty for a login that was not switched
     */
    static Optional<Authentication> switchedFrom(Authentication login) {
        return HAS_SWITCH ? Switched.from(login) : Optional.empty();
    }

    private Subject named(String id, Authentication login) {
        Subject subject = Subject.of(id)
                .withAuthorities(FactorAuthorities.names(login.getAuthorities()).collect(Collectors.toSet()));
        Optional<Authentication> actor = switchedFrom(login);
        if (actor.isPresent()) {
            return subject.withClaim(Subject.ACTOR_CLAIM, idOf(actor.get()).orElse(""));
        }
        return HAS_CLAIMS ? Claims.withKey(Claims.withActor(subject, login), login) : subject;
    }

    /** The authority that Spring Security gives to a switched login. */
    private static final class Switched {

        static Optional<Authentication> from(Authentication login) {
            return login.getAuthorities().stream()
                    .filter(SwitchUserGrantedAuthority.class::isInstance)
                    .map(authority -> ((SwitchUserGrantedAuthority) authority).getSource())
                    .findFirst();
        }
    }

    /** The claims of a login at Spring's resource server. */
    private static final class Claims {

        static boolean isToken(@Nullable Object credentials) {
            return credentials instanceof OAuth2Token;
        }

        static boolean name(Authentication login) {
            return login.getPrincipal() instanceof ClaimAccessor
                    || login.getPrincipal() instanceof OAuth2AuthenticatedPrincipal
                    || login.getCredentials() instanceof ClaimAccessor;
        }

        static Subject withActor(Subject subject, Authentication login) {
            Object claim = claimOf(login, Subject.ACTOR_CLAIM);
            // A claim of any form means that another account acts.
            return claim == null
                    ? subject
                    : subject.withClaim(
                            Subject.ACTOR_CLAIM, JwtRevocations.actorIn(claim).orElse(""));
        }

        /** The subject of an API key keeps the claim of the key, if a resource server asks the introspection endpoint. */
        static Subject withKey(Subject subject, Authentication login) {
            Object claim = claimOf(login, Subject.KEY_CLAIM);
            return claim == null
                    ? subject
                    : subject.withClaim(Subject.KEY_CLAIM, claim instanceof String id && Subject.isId(id) ? id : "");
        }

        private static @Nullable Object claimOf(Authentication login, String name) {
            Object claim = claimIn(login.getPrincipal(), name);
            return claim == null ? claimIn(login.getCredentials(), name) : claim;
        }

        private static @Nullable Object claimIn(@Nullable Object holder, String name) {
            if (holder instanceof ClaimAccessor token) {
                return token.getClaim(name);
            }
            return holder instanceof OAuth2AuthenticatedPrincipal principal ? principal.getAttribute(name) : null;
        }
    }
}
