package dev.latchkey.nacos.settings;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The server's properties of plugins, in both spellings: {@code nacos.plugin.auth.…} since Nacos 3.2, and
 * {@code nacos.core.auth.plugin.…} before Nacos 3.2. If both are set, the new spelling has priority, as in the server
 * itself. An empty value counts as not set: the server's start script writes empty values.
 */
public final class ServerProperties {

    /** The prefix of this plugin's properties before Nacos 3.2. */
    public static final String OWN = "nacos.core.auth.plugin.latchkey.";

    /** The prefix of this plugin's properties since Nacos 3.2. */
    public static final String OWN_SINCE_3_2 = "nacos.plugin.auth.latchkey.";

    /** The type of the auth plugin before Nacos 3.2. */
    public static final String TYPE = "nacos.core.auth.system.type";

    /** The type of the auth plugin since Nacos 3.2. */
    public static final String TYPE_SINCE_3_2 = "nacos.plugin.auth.type";

    private static final String BEFORE = "nacos.core.auth.plugin.";
    private static final String SINCE_3_2 = "nacos.plugin.auth.";

    private final Function<String, @Nullable String> values;
    private final Set<String> ownNames;

    /**
     * Wraps the properties of the server.
     *
     * @param values the value of a property by its whole name; null if not set
     * @param ownNames the names of this plugin's properties in both spellings, without {@link #OWN} or
     *     {@link #OWN_SINCE_3_2}
     */
    public ServerProperties(Function<String, @Nullable String> values, Collection<String> ownNames) {
        this.values = values;
        this.ownNames = new TreeSet<>(ownNames);
    }

    /**
     * The auth plugin's type in the configuration.
     *
     * @param values the value of a property by its whole name; null if not set
     * @return an empty text if no type is set
     */
    public static String type(Function<String, @Nullable String> values) {
        for (String name : List.of(TYPE_SINCE_3_2, TYPE)) {
            String value = values.apply(name);
            if (value != null && !value.isBlank()) {
                return value.trim();
            }
        }
        return "";
    }

    Set<String> ownNames() {
        return ownNames;
    }

    /** The value of this plugin's property; null if not set. */
    @Nullable
    String own(String name) {
        return text(OWN + name);
    }

    /** The value of a property in either spelling; null if not set. The parameter is the spelling before Nacos 3.2. */
    @Nullable
    String text(String name) {
        return valueOf(spelled(name));
    }

    /** The spelling in which the property is set, for messages. */
    String spelled(String name) {
        if (!name.startsWith(BEFORE)) {
            return name;
        }
        String since = SINCE_3_2 + name.substring(BEFORE.length());
        return valueOf(since) == null ? name : since;
    }

    private @Nullable String valueOf(String name) {
        String value = values.apply(name);
        return value == null || Objects.requireNonNull(value).isBlank() ? null : value.trim();
    }
}
