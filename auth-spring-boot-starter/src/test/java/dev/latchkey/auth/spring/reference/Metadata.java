package dev.latchkey.auth.spring.reference;

import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.boot.json.JsonParserFactory;

/** What Boot's processor wrote into the jar, for an IDE to show. */
public final class Metadata {

    /** A property; its default is empty where it has none. */
    public record Property(String name, String type, String byDefault, String meaning) {}

    private Metadata() {}

    /** This library's properties without deprecated properties, by name. */
    public static List<Property> properties() throws IOException {
        return list("properties").stream()
                .filter(property -> ((String) property.get("name")).startsWith("latchkey."))
                .filter(property -> property.get("deprecation") == null)
                .map(Metadata::propertyOf)
                .sorted(Comparator.comparing(Property::name))
                .toList();
    }

    @SuppressWarnings("unchecked")
    public static List<Map<String, Object>> list(String section) throws IOException {
        try (InputStream metadata = Objects.requireNonNull(
                LatchkeyProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json"))) {
            String text = new String(metadata.readAllBytes(), StandardCharsets.UTF_8);
            return (List<Map<String, Object>>)
                    JsonParserFactory.getJsonParser().parseMap(text).get(section);
        }
    }

    private static Property propertyOf(Map<String, Object> property) {
        Object value = property.get("defaultValue");
        return new Property(
                (String) property.get("name"),
                (String) property.get("type"),
                value == null || value.equals(List.of()) ? "" : String.valueOf(value),
                String.valueOf(property.get("description")));
    }
}
