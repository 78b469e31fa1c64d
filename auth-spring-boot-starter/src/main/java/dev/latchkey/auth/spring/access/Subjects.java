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
 * Who asks for a permission, as plugins know it.
 *
 * <p>A login that a plugin decided has its {@link Subject}. Any other one, by Spring's own HTTP Basic, a resource server or a form, becomes the
 * subject of its name, with its authorities: plugins cannot tell which store it is of.
 */
public final class Subjects {

    private static final Logger LOG = LoggerFactory.getLogger(Subjects.class);

    private static final AuthenticationTrustResolver TRUST = new AuthenticationTrustResolverImpl();

    private Subjects() {}

    /**
     * The subject of a login.
     *
     * @param login as Spring Security has it; null where there is none
     * @return empty where nobody has logged in, or nobody but an anonymous caller, and where no subject can have the name: who cannot be named may do
     *     nothing
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
