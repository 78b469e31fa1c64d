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

            Values are checked at the start: what is out of its range, or contradicts another, stops the service with a message that says what to write. This page is made of the code, by
            `PropertiesReferenceTest`; an IDE shows the same.

            A plugin has settings of its own under `latchkey.plugin.<name>`, and a throttle under `latchkey.throttle.<name>`. Each plugin's page says which; `type` says what kind a plugin is where
            that is not its name, and `max-concurrent` how many of its calls may run at a time (64, or half of the server's request threads where those are fewer; one more is 503; `users` and `jwt` have no bound of this
            kind). A throttle's are [on its page](../how-to/throttle.md#settings).

            The keys `nacos.core.auth.plugin.nacos.token.secret.key`, `nacos.core.auth.plugin.nacos.token.expire.seconds` and `nacos.core.auth.caching.enabled` of a Nacos server stand for
            `latchkey.jwt.secret`, `latchkey.jwt.lifetime` and `latchkey.cache.enabled` where those are not set. There is no default key and none is made up.

            Time comes from one bean, the `InstantSource` named `latchkeyClock`: tokens, logins, revocations and the log of outages go by it. A `Clock` that the service has for itself is left
            alone, and this one is injected nowhere but where its name asks for it. A test moves it with [auth-test](../../auth-test/README.md).
            """;

    private static final Map<String, String> PARTS = Map.ofEntries(
            Map.entry("cache", "Cache of verified credentials"),
            Map.entry("guard", "Limits and permits"),
            Map.entry("jdbc", "Shared in the database"),
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
