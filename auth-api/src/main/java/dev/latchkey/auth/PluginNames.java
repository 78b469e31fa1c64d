package dev.latchkey.auth;

import java.util.regex.Pattern;

/** Checks names of plugins, which occur in configuration keys, logs and metrics. */
public final class PluginNames {

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,62}");

    private PluginNames() {}

    /**
     * Returns the name, if it has the form of a plugin's name: a lower-case letter, then at most 62 lower-case letters, digits and hyphens.
     *
     * @param name what somebody wrote or a plugin answered
     * @return the same text
     * @throws IllegalArgumentException if it is no plugin name
     */
    public static String require(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "A plugin's name is a lower-case letter, then at most 62 lower-case letters,"
                            + " digits and hyphens; got '" + printable(name) + "'");
        }
        return name;
    }

    /** Names arrive from configuration and from foreign jars: what is printed of them stays on one short line. */
    private static String printable(String name) {
        return name.substring(0, Math.min(name.length(), 80)).replaceAll("\\p{Cntrl}", "?");
    }
}
