package dev.latchkey.auth.spring.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** {@code docs/reference/properties.md} is made of the metadata that Boot's processor writes of the code. */
class PropertiesReferenceTest {

    private static final String HEAD = """
            # Properties

            Values are checked at the start. A wrong value, or a contradiction between two values, stops the service with a message that says what to write.
            `PropertiesReferenceTest` makes this page from the code, and an IDE shows the same texts.

            A plugin has its own settings under `latchkey.plugin.<name>`. Each plugin's page lists the settings.
            `type` names the kind of a plugin, if the kind is not its name.
            `max-concurrent` is the maximum number of its calls at a time: 64 by default, and at most half of the request threads that other plugins leave.
            One more call is 503. `users` and `jwt` have no such bound. `trusted-issuers` has one for each issuer that is a bean.

            A throttle has its own settings under `latchkey.throttle.<name>`, [on its page](../how-to/throttle.md#settings).

            If the service does not set one of these properties, the key of a Nacos server sets it:

            - `nacos.core.auth.plugin.nacos.token.secret.key` for `latchkey.jwt.secret`,
            - `nacos.core.auth.plugin.nacos.token.expire.seconds` for `latchkey.jwt.lifetime`,
            - `nacos.core.auth.caching.enabled` for `latchkey.cache.enabled`.

            There is no default key, and Latchkey makes up no key. With `latchkey.login.enabled` or `latchkey.plugins=jwt`, a missing key stops the start.
            Sessions with refresh tokens need a key. Revocations need no key, because they end HTTP sessions too.

            Each property below `latchkey.guard.limits`, except `enabled`, is a list of windows, such as `latchkey.guard.limits.source[0].tokens=50` and
            `latchkey.guard.limits.source[0].per=5m`. A list replaces all windows of its bucket.

            Time comes from the `InstantSource` bean named `latchkeyClock`: for tokens, sessions, revocations and the log of outages.
            Latchkey does not use a `Clock` bean of the service, and `latchkeyClock` is injected by its name only.
            A test moves the clock with [auth-test](../../auth-test/README.md).
            """;

    private static final Map<String, String> PARTS = Map.ofEntries(
            Map.entry("cache", "Cache of verified credentials"),
            Map.entry("guard", "Limits and permits"),
            Map.entry("jwt", "Tokens"),
            Map.entry("login", "Login, refresh and logout"),
            Map.entry("password", "How passwords are stored"),
            Map.entry("redis", "Shared in Redis"),
            Map.entry("revocation", "The nodes' copy of revocations"));

    private static final String OTHERS = "The service as a whole";

    @Test
    void properties_areThoseOfTheCode() throws IOException {
        ReferencePage.isMadeOf("properties.md", HEAD + tables());
    }

    @Test
    void tables_haveEachPropertyOnce() throws IOException {
        String tables = tables();
        assertThat(Metadata.properties())
                .hasSizeGreaterThan(50)
                .allSatisfy(property -> assertThat(tables).containsOnlyOnce("| `" + property.name() + "` |"));
    }

    private static String tables() throws IOException {
        Map<String, List<Metadata.Property>> parts = Metadata.properties().stream()
                .collect(Collectors.groupingBy(
                        property -> PARTS.getOrDefault(property.name().split("\\.", -1)[1], OTHERS),
                        TreeMap::new,
                        Collectors.toList()));
        List<Metadata.Property> others = parts.remove(OTHERS);
        return part(OTHERS, others)
                + parts.entrySet().stream()
                        .map(part -> part(part.getKey(), part.getValue()))
                        .collect(Collectors.joining());
    }

    private static String part(String title, List<Metadata.Property> properties) {
        return "\n## " + title + "\n\n| property | default | meaning |\n| --- | --- | --- |\n"
                + properties.stream().map(PropertiesReferenceTest::row).collect(Collectors.joining());
    }

    private static String row(Metadata.Property property) {
        return "| `" + property.name() + "` | "
                + (property.byDefault().isEmpty() ? "" : "`" + property.byDefault() + "` ") + "| "
                + property.meaning().replaceAll("\\s+", " ").replace("|", "\\|") + " |\n";
    }
}
