package dev.latchkey.auth.spring.access;

import dev.latchkey.auth.Subject;
import dev.latchkey.auth.spring.plugin.LatchkeyAuthentication;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.authentication.AuthenticationTrustResolver;
import org.springframework.security.authentication.AuthenticationTrustResolverImpl;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;

/**
 * The subject of a Spring Security login, for permission checks.
 *
 * <p>A login by a plugin has its {@link Subject}. Any other login becomes a subject with the login's name and authorities.
 * Plugins cannot tell its source.
 */
public final class Subjects {

    private static final Logger LOG = LoggerFactory.getLogger(Subjects.class);

    private static final AuthenticationTrustResolver TRUST = new AuthenticationTrustResolverImpl();

    private Subjects() {}

    /**
     * The subject of a login.
     *
     * @param login Spring Security's login; may be null
     * @return empty without a login, for an anonymous login, and for a name that no subject can have; such a caller has no
     *     permission
     */
    public static Optional<Subject> of(@Nullable Authentication login) {
        if (login == null || !TRUST.isAuthenticated(login)) {
            return Optional.empty();
        }
        return login instanceof LatchkeyAuthentication decided ? Optional.of(decided.getPrincipal()) : named(login);
    }

    private static Optional<Subject> named(Authentication login) {
        String name = login.getName();
        if (name == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(Subject.of(name)
                    .withAuthorities(login.getAuthorities().stream()
                            .map(GrantedAuthority::getAuthority)
                            .filter(Objects::nonNull)
                            .filter(authority -> !authority.isBlank())
                            .collect(Collectors.toSet())));
        } catch (IllegalArgumentException e) {
            LOG.debug("A permission is denied: {}", e.getMessage());
            return Optional.empty();
        }
    }
}
