package dev.latchkey.plugins.permissions;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The name of one resource or of many: segments separated by {@code :} and {@code /}, as in
 * {@code ns:group:config/app.yml}.
 *
 * <ul>
 *   <li>{@code *} within a segment matches any text without a separator: {@code ns:*:config/app-*.yml}. A segment has at
 *       most one {@code *}.
 *   <li>{@code *} at the very end matches any rest, including separators: {@code ns:*} matches all resources with this
 *       start.
 *   <li>{@code {name}} as a whole segment matches a value of the asking subject: {@code user:{subject}:profile}. The value
 *       is the subject's id for {@code {subject}}, otherwise the claim with this name, if the claim is a string.
 *   <li>All other characters match themselves, also a dot. A backslash makes the next character literal.
 * </ul>
 *
 * <p>Immutable.
 */
final class ResourcePattern {

    /** The length of the column in every database. MySQL limits the size of the index over role and pattern. */
    static final int MAX_LENGTH = 500;

    static final int MAX_SEGMENTS = 32;

    /** One segment, with the preceding separator. The first segment has no separator. */
    sealed interface Segment permits Literal, Glob, Variable, Rest {}

    record Literal(String text) implements Segment {}

    record Glob(String prefix, String suffix) implements Segment {}

    record Variable(String separator, String name) implements Segment {}

    /** Matches any text with this start. */
    record Rest(String prefix) implements Segment {}

    private final List<Segment> segments;

    private ResourcePattern(List<Segment> segments) {
        this.segments = List.copyOf(segments);
    }

    List<Segment> segments() {
        return segments;
    }

    /**
     * Reads a pattern.
     *
     * @throws IllegalArgumentException if the text is malformed; the message names the reason
     */
    static ResourcePattern parse(String text) {
        if (text.isBlank() || text.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("A resource has 1 to " + MAX_LENGTH + " characters");
        }
        Parser parser = new Parser(text);
        List<Segment> segments = parser.segments();
        if (segments.size() > MAX_SEGMENTS) {
            throw new IllegalArgumentException("A resource has at most " + MAX_SEGMENTS + " segments: '" + text + "'");
        }
        return new ResourcePattern(segments);
    }

    static boolean isSeparator(char c) {
        return c == ':' || c == '/';
    }

    /** One pass over the text. */
    private static final class Parser {

        private final String text;
        private final List<Segment> segments = new ArrayList<>();
        private final StringBuilder segment = new StringBuilder();
        private @Nullable String beforeStar;
        private boolean hasEscape;

        /** Whether the current segment was already added. */
        private boolean ended;

        Parser(String text) {
            this.text = text;
        }

        List<Segment> segments() {
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (c == '\\') {
                    i++;
                    if (i == text.length()) {
                        throw wrong("ends with a backslash, which makes the next character itself");
                    }
                    hasEscape = true;
                    segment.append(text.charAt(i));
                } else if (c == '*') {
                    star(i);
                } else if (c == '{') {
                    i = variable(i);
                } else if (c == '}') {
                    throw wrong("has a brace that was not opened");
                } else {
                    if (isSeparator(c)) {
                        end();
                    }
                    segment.append(c);
                }
            }
            end();
            return segments;
        }

        private void star(int at) {
            if (beforeStar != null) {
                throw wrong("has a segment with two stars; each may have one");
            }
            if (at == text.length() - 1) {
                segments.add(new Rest(segment.toString()));
                segment.setLength(0);
                ended = true;
                return;
            }
            beforeStar = segment.toString();
            segment.setLength(0);
        }

        /** Returns the place of the closing brace. */
        private int variable(int open) {
            int close = text.indexOf('}', open);
            boolean begins =
                    segment.length() == 0 || (segment.length() == 1 && isSeparator(segment.charAt(0)) && !hasEscape);
            boolean ends = close == text.length() - 1 || (close > 0 && isSeparator(text.charAt(close + 1)));
            if (!begins || beforeStar != null || close < open + 2 || !ends) {
                throw wrong("has a variable that is not a whole segment, as in 'user:{subject}:profile'");
            }
            String name = text.substring(open + 1, close);
            if (!name.matches("[A-Za-z0-9_.-]{1,64}")) {
                throw wrong("has a variable whose name is none");
            }
            segments.add(new Variable(segment.toString(), name));
            segment.setLength(0);
            ended = true;
            return close;
        }

        private void end() {
            if (ended) {
                ended = false;
            } else if (beforeStar != null) {
                segments.add(new Glob(beforeStar, segment.toString()));
            } else {
                segments.add(new Literal(segment.toString()));
            }
            beforeStar = null;
            hasEscape = false;
            segment.setLength(0);
        }

        private IllegalArgumentException wrong(String why) {
            return new IllegalArgumentException("The resource '" + text + "' " + why);
        }
    }
}
