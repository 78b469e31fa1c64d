package dev.latchkey.auth.spring.access;

import dev.latchkey.auth.Permission;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The permission that a rule of a filter chain demands. The name of its resource has places for variables of the request's path:
 * {@code ns:{ns}:config}.
 *
 * <p>A caller writes into the path whatever he likes, and that is the value of a variable. A plugin reads the name, mostly from one separator
 * to the next. A value {@code a:b} would make of this pattern the name of another resource than the one that the request is about: a permission
 * would be checked that one tenant has, and he would be served what is another's. So a value that has any of the pattern's separators names
 * nothing, and neither does a blank one.
 *
 * <p>The separators are the characters of the pattern, outside of its variables, that are neither letters nor digits. Words have {@code -},
 * {@code _} and {@code .} within, so these are separators only where they stand next to a variable. Immutable.
 */
public final class PermissionPattern {

    private static final Pattern VARIABLE = Pattern.compile("\\{([^{}]*)}");
    private static final String WITHIN_WORDS = "-_.";

    /** Text and variables in turn, beginning and ending with a text, which may be empty. */
    private final List<String> texts;

    private final List<String> variables;
    private final Set<Integer> separators;

    private final String action;

    private PermissionPattern(List<String> texts, List<String> variables, String action) {
        this.texts = List.copyOf(texts);
        this.variables = List.copyOf(variables);
        this.separators = separatorsOf(texts);
        this.action = action;
    }

    /**
     * The permission to do something to the resources of a pattern.
     *
     * @param pattern the resource's name, with variables in braces
     * @param action what is to be done, as the plugins call that
     * @return for all requests of the rule
     * @throws IllegalArgumentException if either is blank, if a brace has no other or no name, or if nothing separates two variables
     */
    public static PermissionPattern of(String pattern, String action) {
        List<String> texts = new ArrayList<>();
        List<String> variables = new ArrayList<>();
        Matcher variable = VARIABLE.matcher(pattern);
        int end = 0;
        while (variable.find()) {
            texts.add(pattern.substring(end, variable.start()));
            variables.add(variable.group(1));
            end = variable.end();
        }
        texts.add(pattern.substring(end));
        requireWhole(pattern, texts, variables);
        if (action.isBlank()) {
            throw new IllegalArgumentException("The action of a permission must not be blank");
        }
        return new PermissionPattern(texts, variables, action);
    }

    private static void requireWhole(String pattern, List<String> texts, List<String> variables) {
        if (pattern.isBlank()) {
            throw new IllegalArgumentException("The name of a resource must not be blank");
        }
        if (texts.stream().anyMatch(text -> text.contains("{") || text.contains("}"))
                || variables.stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException(
                    "A variable is a name in braces, as in 'ns:{ns}:config'; this is none: '" + pattern + "'");
        }
        for (String between : texts.subList(1, Math.max(1, texts.size() - 1))) {
            if (between.isEmpty() || !isPunctuation(between.charAt(0))) {
                throw new IllegalArgumentException(
                        "Behind a variable that another one follows stands a separator, such as ':'; in '" + pattern
                                + "' one value could run into the other");
            }
        }
    }

    /**
     * What is demanded of a request.
     *
     * @param given the variables of its path, by their names
     * @return empty where a value is blank or has one of the separators: that is a permission that nobody has
     * @throws IllegalStateException if the request's path has no such variable: a mistake in the service's rules
     */
    public Optional<Permission> resolve(Map<String, ?> given) {
        StringBuilder name = new StringBuilder(texts.get(0));
        for (int i = 0; i < variables.size(); i++) {
            Object value = given.get(variables.get(i));
            if (value == null) {
                throw new IllegalStateException("The rule's path has no variable '" + variables.get(i)
                        + "', which its resource names; it has " + given.keySet());
            }
            String text = value.toString();
            if (text.isBlank() || text.chars().anyMatch(separators::contains)) {
                return Optional.empty();
            }
            name.append(text).append(texts.get(i + 1));
        }
        return Optional.of(new Permission(name.toString(), action));
    }

    private static Set<Integer> separatorsOf(List<String> texts) {
        Set<Integer> separators = new HashSet<>();
        for (int i = 0; i < texts.size(); i++) {
            String text = texts.get(i);
            for (int at = 0; at < text.length(); at++) {
                char c = text.charAt(at);
                boolean isBehindAVariable = at == 0 && i > 0;
                boolean isBeforeAVariable = at == text.length() - 1 && i < texts.size() - 1;
                if (isPunctuation(c) && (isBehindAVariable || isBeforeAVariable || WITHIN_WORDS.indexOf(c) < 0)) {
                    separators.add((int) c);
                }
            }
        }
        return separators;
    }

    private static boolean isPunctuation(char c) {
        return !Character.isLetterOrDigit(c);
    }
}
