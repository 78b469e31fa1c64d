package dev.latchkey.auth.engine;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.CredentialsReader;
import dev.latchkey.auth.CredentialsRevoker;
import dev.latchkey.auth.GrantReader;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.permission.PermissionSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The plugins of a chain by role. A plugin with several roles is in several lists, always in the order of the chain. */
record Roles(
        List<AuthPlugin> plugins,
        List<LoginSource<?>> sources,
        List<LoginStep> steps,
        List<CredentialsReader> readers,
        Map<String, GrantReader> grantReaders,
        List<PermissionSource> permissions,
        List<CredentialsRevoker> revokers) {

    static Roles of(List<? extends AuthPlugin> plugins) {
        List<LoginSource<?>> sources = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (AuthPlugin plugin : plugins) {
            if (!seen.add(PluginNames.require(plugin.name()))) {
                throw new IllegalArgumentException("Two plugins are named '" + plugin.name() + "'; names must differ");
            }
            if (plugin instanceof LoginSource<?> source) {
                sources.add(source);
            }
        }
        return new Roles(
                List.copyOf(plugins),
                List.copyOf(sources),
                in(plugins, LoginStep.class),
                in(plugins, CredentialsReader.class),
                byType(in(plugins, GrantReader.class)),
                in(plugins, PermissionSource.class),
                in(plugins, CredentialsRevoker.class));
    }

    /** The same, with this revoker before all other revokers. */
    Roles withRevoker(CredentialsRevoker revoker) {
        List<CredentialsRevoker> all =
                Stream.concat(Stream.of(revoker), revokers.stream()).distinct().toList();
        return new Roles(plugins, sources, steps, readers, grantReaders, permissions, all);
    }

    private static <R extends AuthPlugin> List<R> in(List<? extends AuthPlugin> plugins, Class<R> role) {
        return plugins.stream().filter(role::isInstance).map(role::cast).toList();
    }

    private static Map<String, GrantReader> byType(List<GrantReader> readers) {
        Map<String, GrantReader> byType = new LinkedHashMap<>();
        for (GrantReader reader : readers) {
            for (String type : reader.grantTypes()) {
                GrantReader other = byType.putIfAbsent(type, reader);
                if (other != null) {
                    throw new IllegalArgumentException("The plugins '" + other.name() + "' and '" + reader.name()
                            + "' both read the grant type '" + type + "'; remove one of them");
                }
            }
        }
        return Map.copyOf(byType);
    }

    /** The same with decorated roles. A source decorated as a revoker revokes in the plugin's place. */
    Roles decorated(RoleDecorator decorator) {
        List<LoginSource<?>> around = new ArrayList<>();
        Map<String, CredentialsRevoker> revoking = new LinkedHashMap<>();
        revokers.forEach(revoker -> revoking.put(revoker.name(), revoker));
        for (LoginSource<?> source : sources) {
            LoginSource<?> decorated = decorator.around(source);
            around.add(decorated);
            if (decorated instanceof CredentialsRevoker revoker) {
                revoking.put(revoker.name(), revoker);
            }
        }
        return new Roles(
                plugins,
                List.copyOf(around),
                steps.stream().map(decorator::around).toList(),
                readers,
                grantReaders,
                permissions.stream().map(decorator::around).toList(),
                List.copyOf(revoking.values()));
    }

    /** The plugins, and after them the decorated sources; sources are closed first. */
    List<AuthPlugin> all() {
        List<AuthPlugin> all = new ArrayList<>(plugins);
        sources.stream().filter(source -> !plugins.contains(source)).forEach(all::add);
        return all;
    }

    Optional<LoginSource<?>> source(String name) {
        for (LoginSource<?> source : sources) {
            if (source.name().equals(name)) {
                return Optional.of(source);
            }
        }
        return Optional.empty();
    }

    Optional<LoginStep> step(String name) {
        return steps.stream().filter(step -> step.name().equals(name)).findFirst();
    }
}
