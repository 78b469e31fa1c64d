package dev.latchkey.auth.engine;

import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks names of plugins. These names occur in configuration keys, logs and metrics. */
public final class PluginNames {

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,62}");

    /** The first parts of the names of subjects that Spring Security's OAuth2 and SAML logins have, as in oauth2:google:4711. */
    private static final Set<String> RESERVED = Set.of("oauth2", "saml2");

    private PluginNames() {}

    /**
     * Returns the name, if the text has the form of a plugin's name: a lower-case letter, then at most 62 lower-case
     * letters, digits and hyphens; neither {@code oauth2} nor {@code saml2}.
     *
     * @param name from the configuration or from a plugin; null from a plugin with a defect
     * @return the same text
     * @throws IllegalArgumentException if the text is not a plugin's name
     */
    public static String require(@Nullable String name) {
        if (name == null || !NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "A plugin's name is a lower-case letter, then at most 62 lower-case letters,"
                            + " digits and hyphens; got " + (name == null ? "null" : "'" + printable(name) + "'"));
        }
        if (RESERVED.contains(name)) {
            throw new IllegalArgumentException("'" + name
                    + "' is no name of a plugin or an issuer: subjects of other logins begin with this name");
        }
        return name;
    }

    /** Names arrive from configuration and from foreign jars, so the message prints only a short line of the name. */
    private static String printable(String name) {
        return name.substring(0, Math.min(name.length(), 80)).replaceAll("\\p{Cntrl}", "?");
    }
}
