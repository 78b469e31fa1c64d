package dev.latchkey.auth.engine;

import java.util.regex.Pattern;

/** Checks names of plugins. These names occur in configuration keys, logs and metrics. */
public final class PluginNames {

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,62}");

    private PluginNames() {}

    /**
     * Returns the name, if the text has the form of a plugin's name: a lower-case letter, then at most 62 lower-case
     * letters, digits and hyphens.
     *
     * @param name from the configuration or from a plugin
     * @return the same text
     * @throws IllegalArgumentException if the text is not a plugin's name
     */
    public static String require(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "A plugin's name is a lower-case letter, then at most 62 lower-case letters,"
                            + " digits and hyphens; got '" + printable(name) + "'");
        }
        return name;
    }

    /** Names arrive from configuration and from foreign jars, so the message prints only a short line of the name. */
    private static String printable(String name) {
        return name.substring(0, Math.min(name.length(), 80)).replaceAll("\\p{Cntrl}", "?");
    }
}
