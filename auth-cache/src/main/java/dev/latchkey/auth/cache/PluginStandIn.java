package dev.latchkey.auth.cache;

import dev.latchkey.auth.Access;
import dev.latchkey.auth.Account;
import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.HeaderFields;
import dev.latchkey.auth.Permission;
import dev.latchkey.auth.Subject;
import java.time.Instant;
import java.util.Optional;

/** A plugin that stands in another's place, under its name, and hands on what it has nothing to add to. */
sealed interface PluginStandIn extends AuthPlugin permits CachingAuthPlugin, CachingTokenPlugin {

    /** The plugin that decides. */
    AuthPlugin delegate();

    /** The delegate's. */
    @Override
    default String name() {
        return delegate().name();
    }

    @Override
    default Access authorize(Subject subject, Permission permission) {
        return delegate().authorize(subject, permission);
    }

    @Override
    default boolean revokeAll(String subjectId, Instant notBefore) {
        return delegate().revokeAll(subjectId, notBefore);
    }

    @Override
    default Optional<Account> account(String name) {
        return delegate().account(name);
    }

    @Override
    default Optional<Credentials> read(HeaderFields headers) {
        return delegate().read(headers);
    }
}
