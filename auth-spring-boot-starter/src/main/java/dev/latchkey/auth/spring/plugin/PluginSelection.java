package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.RegisteredCredentials;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.PluginConfig;
import dev.latchkey.auth.engine.PluginDirectory;
import dev.latchkey.auth.engine.PluginHost;
import dev.latchkey.auth.engine.PluginNames;
import dev.latchkey.auth.engine.RoleDecorator;
import dev.latchkey.auth.jwt.JwtAuthPlugin;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.ClassUtils;

/** Makes the configured chain of plugins, and logs the chain. */
final class PluginSelection {

    private static final Logger LOG = LoggerFactory.getLogger(PluginSelection.class);

    /** The name of the plugin for tokens, present with a signing key. */
    private static final String TOKENS = "jwt";

    /** Plugins of Latchkey that a service may lack. */
    private static final Set<String> OF_LATCHKEY = Set.of(
            "api-keys",
            "authorities",
            "features",
            TOKENS,
            "ldap",
            "one-time-codes",
            "passkeys",
            "permissions",
            "trusted-issuers",
            UserDetailsPlugin.NAME);

    private PluginSelection() {}

    /**
     * The plugins named in {@code latchkey.plugins}; by default, the beans in their order. A plugin with a factory in a jar takes part
     * only if the configuration names the plugin.
     *
     * @param named the plugin beans by name
     * @param beans the plugin beans in their order
     * @param withPropertiesClass the plugins that read their settings by a properties class, in uniform spelling
     * @param hasAccounts whether the service has its own accounts, in the chain or not, or logs accounts in by its own beans
     * @param bounds the decoration of the plugins' roles
     * @param host time and listeners
     */
    static AuthChain from(
            LatchkeyProperties properties,
            Map<String, AuthPlugin> named,
            List<AuthPlugin> beans,
            PluginSettings settings,
            Supplier<Set<String>> withPropertiesClass,
            boolean hasAccounts,
            RoleDecorator bounds,
            PluginHost host) {
        PluginDirectory directory = PluginDirectory.discover(classLoader());
        directory.broken().forEach(line -> LOG.warn("An auth plugin cannot be loaded and is left out: {}", line));
        requireDistinctNames(named);
        beans.forEach(directory::add);
        List<String> names = properties.plugins() != null
                ? withoutBlanks(properties.plugins())
                : beans.stream().map(AuthPlugin::name).toList();
        requireSigningKey(names, directory, settings);
        Set<String> ready = beans.stream().map(AuthPlugin::name).collect(Collectors.toSet());
        // The supplier reads every bean definition. Without settings of plugins, the answer is not needed.
        Set<String> ofOwnClass = settings.areNone() ? Set.of() : withPropertiesClass.get();
        AuthChain selected = directory.select(
                names,
                name -> ready.contains(name) && ofOwnClass.contains(PluginConfig.uniform(name))
                        ? settings.ofHost(name)
                        : settings.of(name),
                host);
        AuthChain chain;
        try {
            requireSteps(beans, names, properties.unusedSteps());
            requireIssuersFirst(beans, names);
            requireOneReaderOfTokens(selected);
            settings.namesBeside(names).stream()
                    .filter(name -> !ofOwnClass.contains(PluginConfig.uniform(name)))
                    .forEach(name -> requireNoMisspeltName(name, directory, settings));
            chain = sharing(selected, properties.sharedSubjects(), hasAccounts).withEach(bounds);
        } catch (LatchkeyConfigurationException e) {
            selected.close();
            throw e;
        }
        report(chain.pluginNames(), directory, settings, properties.login().enabled());
        return chain;
    }

    /** Another unknown name may be of a plugin that exists in another profile or service. */
    private static void requireNoMisspeltName(String name, PluginDirectory directory, PluginSettings settings) {
        Set<String> known = new TreeSet<>(directory.names());
        known.addAll(OF_LATCHKEY);
        if (known.contains(settings.typeOf(name))
                || known.stream().map(PluginConfig::uniform).anyMatch(PluginConfig.uniform(name)::equals)) {
            return;
        }
        LatchkeyProperties.nearest(name, known).ifPresent(meant -> {
            throw new LatchkeyConfigurationException(
                    String.join(", ", settings.keysOf(name)) + ": no plugin has this name",
                    "Write " + PluginSettings.PREFIX + meant
                            + " if that is meant. Otherwise remove the settings, or choose"
                            + " another name for your plugin.");
        });
    }

    private static List<String> withoutBlanks(List<String> names) {
        if (names.stream().anyMatch(String::isBlank)) {
            throw new LatchkeyConfigurationException(
                    "latchkey.plugins has an empty entry",
                    "Remove the comma too many, or write the name that is missing.");
        }
        return names;
    }

    /** Logs the chain, and possible mistakes: settings or a jar of a plugin without a name in the configuration. */
    private static void report(
            List<String> asked, PluginDirectory directory, PluginSettings settings, boolean hasLoginEndpoint) {
        Set<String> others = new TreeSet<>(directory.names());
        asked.forEach(name -> others.remove(settings.typeOf(name)));
        settings.namesBeside(asked).stream()
                .filter(settings::switchOff)
                .forEach(name -> others.remove(settings.typeOf(name)));
        if (!asked.isEmpty()) {
            LOG.info("Auth plugins, in order: {}", asked);
        } else if (hasLoginEndpoint) {
            LOG.info("No auth plugin is asked, so the login endpoint refuses everybody");
        }
        if (!others.isEmpty()) {
            LOG.info(
                    "There are auth plugins that are not asked, since latchkey.plugins does not name them: {}", others);
        }
        for (String name : settings.namesBeside(asked)) {
            if (settings.switchOff(name)) {
                LOG.info(
                        "{}{}.enabled is false, and no auth plugin of that name is asked", PluginSettings.PREFIX, name);
            } else {
                LOG.warn(
                        "{}{}.* is set, and no auth plugin of that name is asked; those that are: {}",
                        PluginSettings.PREFIX,
                        name,
                        asked);
            }
        }
    }

    /** Each step bean is in the chain or listed as unused: a forgotten name must not switch a step off. */
    private static void requireSteps(List<AuthPlugin> beans, List<String> names, List<String> unused) {
        List<String> left = beans.stream()
                .filter(LoginStep.class::isInstance)
                .map(AuthPlugin::name)
                .filter(name -> !names.contains(name) && !unused.contains(name))
                .toList();
        if (!left.isEmpty()) {
            throw new LatchkeyConfigurationException(
                    "The service defines the login steps " + left
                            + ", and latchkey.plugins does not name them: logins would be complete without them",
                    "Add " + String.join(",", left) + " to latchkey.plugins. To leave a step out on purpose, set"
                            + " latchkey.unused-steps=" + String.join(",", left)
                            + ". Passkeys and one-time codes are left out by latchkey.plugin.<name>.enabled=false.");
        }
    }

    /** The service's own accounts keep their ids. Without own accounts, the accounts of the first source keep their ids. */
    private static AuthChain sharing(AuthChain chain, List<String> shared, boolean hasAccounts) {
        List<String> unknown = shared.stream()
                .filter(name -> !chain.pluginNames().contains(name)
                        && !OutsideSources.isOne(name)
                        && !outsideOf(chain).contains(name))
                .toList();
        if (!unknown.isEmpty()) {
            throw new LatchkeyConfigurationException(
                    "latchkey.shared-subjects names " + unknown + ", and the plugins are " + chain.pluginNames(),
                    "Name plugins of latchkey.plugins, a trusted issuer, or a provider as oauth2:registration or saml2:registration.");
        }
        Set<String> same = new LinkedHashSet<>(shared);
        List<String> accounts = chain.plugins().stream()
                .filter(plugin -> plugin instanceof LoginSource<?> source
                        && !RegisteredCredentials.class.isAssignableFrom(source.kind()))
                .map(AuthPlugin::name)
                .toList();
        if (hasAccounts || accounts.contains(UserDetailsPlugin.NAME)) {
            same.add(UserDetailsPlugin.NAME);
        } else if (!accounts.isEmpty()) {
            same.add(accounts.get(0));
        }
        accounts.stream()
                .filter(name -> !same.contains(name))
                .forEach(name -> LOG.info("Subjects of the plugin {} are named {}:id", name, name));
        Set<String> outside = outsideOf(chain);
        Set<String> ambiguous = new TreeSet<>(outside);
        ambiguous.retainAll(chain.pluginNames());
        if (!ambiguous.isEmpty()) {
            throw new LatchkeyConfigurationException(
                    "The plugins " + ambiguous + " have the names of trusted issuers",
                    "Give them other names: the subjects of an issuer begin with its name.");
        }
        return chain.withSharedSubjects(same).withOutsideSources(outside);
    }

    private static Set<String> outsideOf(AuthChain chain) {
        Set<String> outside = new LinkedHashSet<>(OutsideSources.kinds());
        chain.plugins().stream()
                .filter(OutsideSubjects.class::isInstance)
                .forEach(plugin -> outside.addAll(((OutsideSubjects) plugin).outsideSources()));
        return outside;
    }

    /** The plugin of another issuer must come first, because the plugin of Latchkey's tokens decides about every token. */
    private static void requireIssuersFirst(List<AuthPlugin> beans, List<String> names) {
        for (AuthPlugin plugin : beans) {
            int at = names.indexOf(plugin.name());
            int tokens = names.indexOf(TOKENS);
            if (plugin instanceof OutsideSubjects && (at < 0 || (tokens >= 0 && tokens < at))) {
                throw new LatchkeyConfigurationException(
                        "latchkey.plugins does not name " + plugin.name()
                                + " before the plugin of Latchkey's own tokens, and there are trusted issuers",
                        "Write " + plugin.name() + " into latchkey.plugins, before " + TOKENS + ".");
            }
        }
    }

    /**
     * The first of two plugins for tokens decides about every token. Tokens of the second plugin would never be valid, or would
     * have the names of local accounts.
     */
    private static void requireOneReaderOfTokens(AuthChain chain) {
        List<String> readers = chain.plugins().stream()
                .filter(JwtAuthPlugin.class::isInstance)
                .map(AuthPlugin::name)
                .toList();
        if (readers.size() > 1) {
            throw new LatchkeyConfigurationException(
                    "The plugins " + readers
                            + " are of the type JwtAuthPlugin, and the first decides about every token",
                    "Keep one of them in latchkey.plugins. Name another issuer under latchkey.trusted-issuers, or as a bean of the"
                            + " type TrustedIssuer: its subjects then have names of their own.");
        }
    }

    /** A message about an unknown plugin would hide the real mistake: the signing key is missing. */
    private static void requireSigningKey(List<String> names, PluginDirectory directory, PluginSettings settings) {
        boolean isTheStarters = settings.typeOf(TOKENS).equals(TOKENS);
        if (names.contains(TOKENS) && isTheStarters && !directory.names().contains(TOKENS)) {
            throw new LatchkeyConfigurationException(
                    "latchkey.plugins names 'jwt', the plugin of tokens, and there is no signing key",
                    "Set latchkey.jwt.secret to file: and the path of a file that has one (openssl rand -base64 32), or take jwt out of"
                            + " latchkey.plugins.");
        }
    }

    private static void requireDistinctNames(Map<String, AuthPlugin> beans) {
        Map<String, String> named = new HashMap<>();
        beans.forEach((bean, plugin) -> {
            String described = "bean '" + bean + "' (" + plugin.getClass().getName() + ")";
            String other = named.putIfAbsent(nameOf(plugin, described), described);
            if (other != null) {
                throw new LatchkeyConfigurationException(
                        "Two AuthPlugin beans are named '" + plugin.name() + "': the " + other + " and the "
                                + described,
                        "Let name() of one of them answer something else; Latchkey's own plugins are named users and jwt.");
            }
        });
    }

    private static String nameOf(AuthPlugin plugin, String described) {
        try {
            return PluginNames.require(plugin.name());
        } catch (IllegalArgumentException e) {
            throw new LatchkeyConfigurationException(
                    "The AuthPlugin " + described + " has no proper name: " + e.getMessage(),
                    "Let its name() answer one of lower-case letters, digits and hyphens.");
        }
    }

    /** The thread's class loader, if present. With devtools, this loader sees the service's classes. */
    private static ClassLoader classLoader() {
        return Objects.requireNonNullElseGet(ClassUtils.getDefaultClassLoader(), PluginSelection.class::getClassLoader);
    }
}
