package dev.latchkey.plugins.permissions;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * What may be done: words between commas, {@code *} for all. {@code rw} is {@code r,w}, as the consoles of configuration servers write it.
 */
final class Actions {

    static final String ALL = "*";

    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

    private Actions() {}

    /** @throws IllegalArgumentException if there is none, or one is no word */
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
