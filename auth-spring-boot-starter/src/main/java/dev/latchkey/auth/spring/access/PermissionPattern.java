package dev.latchkey.auth.spring.access;

import dev.latchkey.auth.permission.Permission;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The permission that a rule of a filter chain requires. The resource name has variables of the request's path: {@code
 * ns:{ns}:config}.
 *
 * <p>The caller chooses the values of path variables. A plugin reads the resource name from one separator to the next. A value
 * {@code a:b} would therefore name another resource than the request, and one tenant's permission would open another tenant's
 * data. So a value with a separator of the pattern, or a blank value, matches no permission.
 *
 * <p>The separators are the characters of the pattern outside of its variables, except letters and digits. {@code -}, {@code _}
 * and {@code .} are parts of words, and separators only beside a variable. Immutable.
 */
public final class PermissionPattern {

    private static final Pattern VARIABLE = Pattern.compile("\\{([^{}]*)}");
    private static final String WITHIN_WORDS = "-_.";

    /** Texts around the variables: one more than variables; a text may be empty. */
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
     * Parses a pattern.
     *
     * @param pattern the resource name, with variables in braces
     * @param action the action in the plugins' terms
     * @return the pattern for all requests of the rule
     * @throws IllegalArgumentException if an argument is blank, a brace is unbalanced or empty, or two variables have no
     *     separator
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
     * The required permission of a request.
     *
     * @param given the path variables by name
     * @return empty if a value is blank or contains a separator; the rule then denies
     * @throws IllegalStateException if the path has no such variable, which is a mistake in the service's rules
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
