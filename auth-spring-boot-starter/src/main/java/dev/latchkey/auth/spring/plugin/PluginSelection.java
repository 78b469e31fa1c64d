package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.PluginConfigException;
import dev.latchkey.auth.engine.PluginDirectory;
import dev.latchkey.auth.engine.PluginNames;
import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.guard.login.LimitedLogins;
import dev.latchkey.auth.jwt.JwtAuthPlugin;
import dev.latchkey.auth.spring.password.PluginBounds;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.spring.settings.RequestThreads;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.ClassUtils;

/** Makes the chain that configuration asks for, and says in the log which one it is. */
final class PluginSelection {

    private static final Logger LOG = LoggerFactory.getLogger(PluginSelection.class);

    private static final int DEFAULT_MAX_CONCURRENT = 64;

    /** The name of the plugin that a signing key brings. */
    private static final String TOKENS = "jwt";

    private PluginSelection() {}

    /**
     * The plugins that {@code latchkey.plugins} names; without it, the beans in their order. A jar on the class path alone
     * never decides who may log in: it is found, but takes part only where its name is written down.
     *
     * @param cache null where nothing is to be remembered
     */
    static AuthChain from(
            LatchkeyProperties properties,
            List<AuthPlugin> beans,
            RequestThreads threads,
            @Nullable CredentialCache cache,
            @Nullable LimitedLogins logins) {
        PluginDirectory directory = PluginDirectory.discover(classLoader());
        directory.broken().forEach(line -> LOG.warn("An auth plugin cannot be loaded and is left out: {}", line));
        requireDistinctNames(beans);
        beans.forEach(directory::add);
        List<String> names = properties.plugins() != null
                ? withoutBlanks(properties.plugins())
                : beans.stream().map(AuthPlugin::name).toList();
        PluginSettings settings = new PluginSettings(properties.plugin());
        requireSigningKey(names, directory, settings);
        AuthChain chain = directory
                .select(names, settings::of)
                .withEach(plugin -> bounded(plugin, settings, threads, cache, logins));
        report(chain.pluginNames(), directory, settings, properties.login().enabled());
        return chain;
    }

    private static List<String> withoutBlanks(List<String> names) {
        if (names.stream().anyMatch(String::isBlank)) {
            throw new LatchkeyConfigurationException(
                    "latchkey.plugins has an empty entry",
                    "Remove the comma too many, or write the name that is missing.");
        }
        return names;
    }

    /** Says which plugins are asked, and what looks as if it were one of them and is not: a name that is misspelt, a jar that nobody has named. */
    private static void report(
            List<String> asked, PluginDirectory directory, PluginSettings settings, boolean hasLoginEndpoint) {
        Set<String> others = new TreeSet<>(directory.names());
        asked.forEach(name -> others.remove(settings.of(name).text("type").orElse(name)));
        if (!asked.isEmpty()) {
            LOG.info("Auth plugins, in order: {}", asked);
        } else if (hasLoginEndpoint) {
            LOG.info("No auth plugin is asked, so the login endpoint refuses everybody");
        }
        if (!others.isEmpty()) {
            LOG.info(
                    "There are auth plugins that are not asked, since latchkey.plugins does not name them: {}", others);
        }
        settings.namesBeside(asked)
                .forEach(name -> LOG.warn(
                        "{}{}.* is set, and no auth plugin of that name is asked; those that are: {}",
                        PluginSettings.PREFIX,
                        name,
                        asked));
    }

    /** What this library brings waits for nobody, or hashes by permit. What another plugin waits for must not hold every thread. */
    private static AuthPlugin bounded(
            AuthPlugin plugin,
            PluginSettings settings,
            RequestThreads threads,
            @Nullable CredentialCache cache,
            @Nullable LimitedLogins logins) {
        if (plugin instanceof JwtAuthPlugin || plugin instanceof UserDetailsPlugin) {
            return plugin;
        }
        try {
            long most = settings.maxConcurrent(plugin.name())
                    .orElseGet(() -> (long) Math.min(DEFAULT_MAX_CONCURRENT, threads.half()));
            return PluginBounds.around(plugin, Math.toIntExact(most), cache, logins);
        } catch (PluginConfigException | IllegalArgumentException | ArithmeticException e) {
            throw new LatchkeyConfigurationException(
                    PluginSettings.PREFIX + plugin.name() + ".max-concurrent is no positive number",
                    "Set it to how many calls of this plugin may run at the same time, or leave it out.");
        }
    }

    /** To say that there is no plugin of this name would not say what is missing: a signing key. */
    private static void requireSigningKey(List<String> names, PluginDirectory directory, PluginSettings settings) {
        boolean isTheStarters = settings.of(TOKENS).text("type").isEmpty();
        if (names.contains(TOKENS) && isTheStarters && !directory.names().contains(TOKENS)) {
            throw new LatchkeyConfigurationException(
                    "latchkey.plugins names 'jwt', the plugin of tokens, and there is no signing key",
                    "Set latchkey.jwt.secret-file to a file that has one (openssl rand -base64 32), or take jwt out of"
                            + " latchkey.plugins.");
        }
    }

    private static void requireDistinctNames(List<AuthPlugin> beans) {
        Map<String, AuthPlugin> named = new HashMap<>();
        for (AuthPlugin plugin : beans) {
            AuthPlugin other = named.putIfAbsent(nameOf(plugin), plugin);
            if (other != null) {
                throw new LatchkeyConfigurationException(
                        "Two AuthPlugin beans are named '" + plugin.name() + "': "
                                + other.getClass().getName() + " and "
                                + plugin.getClass().getName(),
                        "Let name() of one of them answer something else; Latchkey's own plugins are named users and jwt.");
            }
        }
    }

    private static String nameOf(AuthPlugin plugin) {
        try {
            return PluginNames.require(plugin.name());
        } catch (IllegalArgumentException e) {
            throw new LatchkeyConfigurationException(
                    "The AuthPlugin bean " + plugin.getClass().getName() + " has no proper name: " + e.getMessage(),
                    "Let its name() answer one of lower-case letters, digits and hyphens.");
        }
    }

    /** The thread's, where there is one: under devtools it is the one that sees the service's classes. */
    private static ClassLoader classLoader() {
        return Objects.requireNonNullElseGet(ClassUtils.getDefaultClassLoader(), PluginSelection.class::getClassLoader);
    }
}
