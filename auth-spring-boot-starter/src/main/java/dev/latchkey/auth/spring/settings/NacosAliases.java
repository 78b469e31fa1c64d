package dev.latchkey.auth.spring.settings;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Reads the configuration of a Nacos server as the lowest of all sources, so Latchkey's own keys win. Clients of such a service
 * are clients of Nacos, so logins get the answer of Nacos, and tokens are read from the header field of Nacos.
 *
 * <p>An initializer of the context, because the interface of environment post-processors moved in Spring Boot 4. An initializer
 * is the same on every line, and runs before every condition.
 */
final class NacosAliases implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    private static final Logger LOG = LoggerFactory.getLogger(NacosAliases.class);

    private static final String SOURCE = "latchkeyNacosAliases";
    private static final String RESPONSE = "latchkey.login.response";
    private static final String SECRET = "latchkey.jwt.secret";

    private record Alias(String nacos, String latchkey, UnaryOperator<String> translation) {}

    /** The newer name of a pair first. */
    private static final List<Alias> ALIASES = List.of(
            new Alias("nacos.core.auth.plugin.nacos.token.secret.key", SECRET, UnaryOperator.identity()),
            new Alias("nacos.core.auth.default.token.secret.key", SECRET, UnaryOperator.identity()),
            new Alias(
                    "nacos.core.auth.plugin.nacos.token.expire.seconds",
                    "latchkey.jwt.lifetime",
                    NacosAliases::secondsAsDuration),
            new Alias(
                    "nacos.core.auth.default.token.expire.seconds",
                    "latchkey.jwt.lifetime",
                    NacosAliases::secondsAsDuration),
            new Alias("nacos.core.auth.caching.enabled", "latchkey.cache.enabled", UnaryOperator.identity()));

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        ConfigurableEnvironment environment = context.getEnvironment();
        Binder binder = Binder.get(environment);
        Map<String, Object> aliases = new LinkedHashMap<>();
        for (Alias alias : ALIASES) {
            if (!aliases.containsKey(alias.latchkey()) && !isSet(binder, alias.latchkey())) {
                String value =
                        binder.bind(alias.nacos(), String.class).orElse("").trim();
                if (!value.isEmpty()) {
                    aliases.put(alias.latchkey(), alias.translation().apply(value));
                    LOG.info("{} stands for {}, which is not set", alias.nacos(), alias.latchkey());
                }
            }
        }
        if (!aliases.isEmpty()) {
            if (!isSet(binder, RESPONSE)) {
                aliases.put(RESPONSE, "nacos");
            }
            environment.getPropertySources().addLast(new MapPropertySource(SOURCE, aliases));
        }
    }

    private static boolean isSet(Binder binder, String name) {
        return binder.bind(name, String.class).isBound();
    }

    private static String secondsAsDuration(String value) {
        return value.chars().allMatch(Character::isDigit) ? value + "s" : value;
    }
}
