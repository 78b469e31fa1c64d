package dev.latchkey.plugins.permissions;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Actions in a permission: words separated by commas, {@code *} for all. {@code rw} means {@code r,w}, as in the
 * consoles of configuration servers.
 */
final class Actions {

    static final String ALL = "*";

    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

    private Actions() {}

    /** @throws IllegalArgumentException if there is no action, or an action is malformed */
    static Set<String> parse(String text) {
        Set<String> actions = new TreeSet<>();
        for (String part : text.split(",", -1)) {
            String word = part.trim();
            if (word.equals("rw")) {
                actions.add("r");
                actions.add("w");
            } else if (word.equals(ALL) || WORD.matcher(word).matches()) {
                actions.add(word);
            } else {
                throw new IllegalArgumentException(
                        "Actions are words of letters, digits, dots, underscores and hyphens between commas, or *: '"
                                + text + "' are none");
            }
        }
        return actions;
    }
}
