package dev.latchkey.plugins.permissions;

import dev.latchkey.auth.Subject;
import dev.latchkey.plugins.permissions.ResourcePattern.Glob;
import dev.latchkey.plugins.permissions.ResourcePattern.Literal;
import dev.latchkey.plugins.permissions.ResourcePattern.Rest;
import dev.latchkey.plugins.permissions.ResourcePattern.Segment;
import dev.latchkey.plugins.permissions.ResourcePattern.Variable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Many patterns in one tree of segments. The cost of a question depends on the length of the resource, and hardly on the
 * number of patterns. The node at the end of a pattern has the roles of the pattern. Immutable after the last
 * {@link #add}.
 */
final class PatternTree {

    /** In characters. A longer resource is denied, because its check costs too much. */
    private static final int LONGEST_RESOURCE = 1_024;

    private final Node root = new Node();

    /** Adds a role's actions for the resources of a pattern. */
    void add(ResourcePattern pattern, Iterable<String> actions, int role) {
        Node node = root;
        for (Segment segment : pattern.segments()) {
            node = node.child(segment);
        }
        for (String action : actions) {
            node.grants.computeIfAbsent(action, any -> new BitSet()).set(role);
        }
    }

    /** Whether one of the roles may use the action on the resource. */
    boolean allows(String resource, String action, BitSet roles, Subject subject) {
        return resource.length() <= LONGEST_RESOURCE
                && new Question(resource, action, roles, subject).allows(root, 0, 0);
    }

    /** A node of the tree: the possible next segments, and the grants of patterns that end here. */
    private static final class Node {

        private final Map<String, Node> literals = new HashMap<>();
        private final Map<String, Node> variables = new HashMap<>();
        private final Map<String, List<Tail>> globs = new HashMap<>();
        private final Map<String, Node> rests = new HashMap<>();
        /** The lengths of the prefixes of globs and rests. There are only few different lengths. */
        private final SortedSet<Integer> globLengths = new TreeSet<>();

        private final SortedSet<Integer> restLengths = new TreeSet<>();
        private final Map<String, BitSet> grants = new HashMap<>();

        private record Tail(String suffix, Node next) {}

        Node child(Segment segment) {
            if (segment instanceof Literal literal) {
                return literals.computeIfAbsent(literal.text(), any -> new Node());
            }
            if (segment instanceof Variable variable) {
                return variables.computeIfAbsent(variable.separator() + variable.name(), any -> new Node());
            }
            if (segment instanceof Rest rest) {
                restLengths.add(rest.prefix().length());
                return rests.computeIfAbsent(rest.prefix(), any -> new Node());
            }
            Glob glob = (Glob) segment;
            globLengths.add(glob.prefix().length());
            List<Tail> tails = globs.computeIfAbsent(glob.prefix(), any -> new ArrayList<>());
            for (Tail tail : tails) {
                if (tail.suffix().equals(glob.suffix())) {
                    return tail.next();
                }
            }
            Node next = new Node();
            tails.add(new Tail(glob.suffix(), next));
            return next;
        }
    }

    /** A single walk. The number of segments in a pattern limits the depth. */
    private record Question(String resource, String action, BitSet roles, Subject subject) {

        boolean allows(Node node, int at, int depth) {
            if (at == resource.length() && depth > 0) {
                return grants(node);
            }
            return grantsRest(node, at) || allowsSegment(node, at, endOf(depth == 0 ? at : at + 1), depth);
        }

        private boolean allowsSegment(Node node, int at, int end, int depth) {
            String segment = resource.substring(at, end);
            Node literal = node.literals.get(segment);
            if (literal != null && allows(literal, end, depth + 1)) {
                return true;
            }
            for (Map.Entry<String, Node> variable : node.variables.entrySet()) {
                if (segment.equals(valueOf(variable.getKey())) && allows(variable.getValue(), end, depth + 1)) {
                    return true;
                }
            }
            for (int length : node.globLengths) {
                if (length > segment.length()) {
                    break;
                }
                for (Node.Tail tail : node.globs.getOrDefault(segment.substring(0, length), List.of())) {
                    if (segment.length() >= length + tail.suffix().length()
                            && segment.endsWith(tail.suffix())
                            && allows(tail.next(), end, depth + 1)) {
                        return true;
                    }
                }
            }
            return false;
        }

        private boolean grantsRest(Node node, int at) {
            for (int length : node.restLengths) {
                if (length > resource.length() - at) {
                    break;
                }
                Node rest = node.rests.get(resource.substring(at, at + length));
                if (rest != null && grants(rest)) {
                    return true;
                }
            }
            return false;
        }

        private boolean grants(Node node) {
            return has(node.grants.get(action)) || has(node.grants.get(Actions.ALL));
        }

        private boolean has(@Nullable BitSet granted) {
            return granted != null && granted.intersects(roles);
        }

        /** The end of the segment: before the next separator. The separator belongs to the next segment. */
        private int endOf(int textStart) {
            int end = textStart;
            while (end < resource.length() && !ResourcePattern.isSeparator(resource.charAt(end))) {
                end++;
            }
            return end;
        }

        /** The value with its separator; null if the subject has no such value. */
        private @Nullable String valueOf(String variable) {
            boolean hasSeparator = ResourcePattern.isSeparator(variable.charAt(0));
            String name = hasSeparator ? variable.substring(1) : variable;
            Object value =
                    name.equals("subject") ? subject.id() : subject.claims().get(name);
            if (!(value instanceof String text) || text.isEmpty()) {
                return null;
            }
            return hasSeparator ? variable.charAt(0) + text : text;
        }
    }
}
