package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.engine.AuthChain;
import java.util.List;
import java.util.function.Predicate;

/** The plugins of a chain that take part in a login by a password. */
record PasswordPlugins(AuthChain chain) {

    boolean haveUsers() {
        return chain.plugins().stream().anyMatch(UserDetailsPlugin.class::isInstance);
    }

    boolean haveSource() {
        return chain.plugins().stream().anyMatch(PasswordPlugins::isSource);
    }

    /** The sources and steps besides {@code users}. Spring Security alone would not ask these plugins. */
    List<String> askedBesideUsers() {
        return besideUsers(plugin -> isSource(plugin) || plugin instanceof LoginStep);
    }

    /** The plugins besides {@code users} that check passwords. Steps are asked in any case. */
    List<String> sourcesBesideUsers() {
        return besideUsers(PasswordPlugins::isSource);
    }

    private static boolean isSource(AuthPlugin plugin) {
        return plugin instanceof LoginSource<?> source && source.kind().isAssignableFrom(PasswordCredentials.class);
    }

    private List<String> besideUsers(Predicate<AuthPlugin> counts) {
        return chain.plugins().stream()
                .filter(plugin -> !(plugin instanceof UserDetailsPlugin) && counts.test(plugin))
                .map(AuthPlugin::name)
                .toList();
    }
}
