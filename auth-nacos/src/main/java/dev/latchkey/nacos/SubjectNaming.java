package dev.latchkey.nacos;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.RegisteredCredentials;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.nacos.settings.SourceSettings;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Names the subjects of all sources, so that no two accounts share a name: {@code alice} of the server, {@code
 * ldap:alice}, {@code oidc:alice}.
 *
 * <p>The chain names subjects of sources with accounts. The chain does not rename the subjects of tokens and keys,
 * because a service usually issues its own tokens and keys. In this server, another party issues them.
 */
final class SubjectNaming {

    private final SourceSettings settings;
    private final Set<String> unnamed;

    SubjectNaming(AuthChain chain, SourceSettings settings) {
        this.settings = settings;
        this.unnamed = chain.plugins().stream()
                .filter(plugin -> plugin instanceof LoginSource<?> source
                        && RegisteredCredentials.class.isAssignableFrom(source.kind()))
                .map(plugin -> plugin.name())
                .collect(Collectors.toSet());
    }

    /** The login under its name in this server; empty if the name belongs to another account, or is too long. */
    Optional<Authenticated> named(Authenticated login) {
        String id = login.subject().id();
        if (login.plugin().equals(Passwords.NAME)) {
            return settings.isNameOfAnother(id) ? Optional.empty() : Optional.of(login);
        }
        if (!unnamed.contains(login.plugin())) {
            return Optional.of(login);
        }
        String name = login.plugin() + ":" + id;
        return Subject.isId(name)
                ? Optional.of(login.withSubject(login.subject().withId(name)))
                : Optional.empty();
    }
}
