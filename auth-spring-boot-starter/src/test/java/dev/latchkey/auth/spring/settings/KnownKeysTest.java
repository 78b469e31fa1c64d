package dev.latchkey.auth.spring.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.boot.json.JsonParserFactory;

/** What is known is what Boot's annotation processor wrote, read here by a parser of JSON. */
class KnownKeysTest {

    private final KnownKeys known = KnownKeys.of(KnownKeysTest.class.getClassLoader());

    @Test
    void eachKeyOfTheMetadata_isKnown_byItsNameAndAsAVariable() throws Exception {
        int keys = 0;
        for (Map<?, ?> property : metadata("properties")) {
            String name = String.valueOf(property.get("name"));
            if (name.startsWith("latchkey.")) {
                keys++;
                assertThat(known.has(name)).as(name).isTrue();
                assertThat(known.has(name.replace("latchkey.", "latchkey.x")))
                        .as(name)
                        .isFalse();
                String variable = name.toUpperCase(Locale.ROOT).replace('.', '_');
                assertThat(known.hasVariable(variable.replace("-", "")))
                        .as(name)
                        .isTrue();
                assertThat(known.hasVariable(variable.replace('-', '_')))
                        .as(name)
                        .isTrue();
            }
        }
        assertThat(keys).isGreaterThan(60);
        assertThat(known.areIncomplete()).isFalse();
    }

    @Test
    void classesOfProperties_areKnownWithTheirPrefix() throws Exception {
        for (Map<?, ?> group : metadata("groups")) {
            String name = String.valueOf(group.get("name"));
            if (name.startsWith("latchkey.") && Objects.equals(group.get("type"), group.get("sourceType"))) {
                assertThat(known.roots()).contains(new KnownKeys.Root(name, String.valueOf(group.get("type"))));
            }
        }
        assertThat(known.roots())
                .extracting(KnownKeys.Root::name)
                .contains("latchkey.redis", "latchkey.revocation")
                .doesNotContain("latchkey.jwt");
    }

    @Test
    void variableOfAListsEntry_isKnownByItsMember() {
        String source = "LATCHKEY_GUARD_LIMITS_SOURCE_0";
        assertThat(known.hasVariable(source)).isTrue();
        assertThat(known.hasVariable(source + "_TOKENS")).isTrue();
        assertThat(known.hasVariable(source + "_TOKEN")).isFalse();
        assertThat(known.hasVariable("LATCHKEY_GUARD_LIMITS_SOURCE_TOKENS")).isFalse();
        assertThat(known.hasVariable("LATCHKEY_GUARD_TRUSTEDPROXIES_0_TOKENS")).isFalse();
    }

    @Test
    void entryOfAList_isKnownByItsNumberAndItsMember() {
        assertThat(known.has("latchkey.guard.limits.accountAndSource[0].tokens"))
                .isTrue();
        assertThat(known.has("latchkey.guard.limits.account-and-source[12]")).isTrue();
        assertThat(known.has("latchkey.guard.limits.account-and-source.tokens")).isFalse();
        assertThat(known.has("latchkey.guard.limits.account-and-source[x].tokens"))
                .isFalse();
        assertThat(known.has("latchkey.guard.limits.account-and-source[0].token"))
                .isFalse();
        assertThat(known.has("latchkey.plugins[0].x")).isFalse();
    }

    @Test
    void settingOfAPlugin_isLeftToThePlugin() {
        assertThat(known.has("latchkey.plugin.anything.at-all")).isTrue();
    }

    @SuppressWarnings("unchecked") // Both parts are lists of objects.
    private static List<Map<?, ?>> metadata(String part) throws Exception {
        try (InputStream metadata =
                Objects.requireNonNull(LatchkeyProperties.class.getResourceAsStream("/" + KnownKeys.METADATA))) {
            String text = new String(metadata.readAllBytes(), StandardCharsets.UTF_8);
            return (List<Map<?, ?>>)
                    JsonParserFactory.getJsonParser().parseMap(text).get(part);
        }
    }
}
