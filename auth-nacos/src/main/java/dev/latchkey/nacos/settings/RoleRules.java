package dev.latchkey.nacos.settings;

import dev.latchkey.auth.Subject;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Maps facts about the subjects of other sources to roles of the server. A subject without a matching rule has no role.
 *
 * <p>A fact is an authority of the subject, such as {@code ROLE_DEVELOPERS}, or a claim with its value, such as
 * {@code team=payments}. Each rule names the source of the fact, because another source may use the same word for
 * something else.
 *
 * @param rules in any order; several may give the same role
 */
public record RoleRules(List<Rule> rules) {

    /**
     * One rule.
     *
     * @param role of the server
     * @param source the name of the source
     * @param fact an authority, or a claim with a value
     */
    public record Rule(String role, String source, String fact) {}

    /**
     * Copies the rules.
     *
     * @param rules in any order
     */
    public RoleRules {
        rules = List.copyOf(rules);
    }

    /**
     * The facts about a subject that occur in a rule. Tokens contain only these facts, so the size of a token has a bound.
     *
     * @param source the name of the subject's source
     * @param subject as the source describes it
     * @return sorted; empty without a matching rule
     */
    public List<String> factsOf(String source, Subject subject) {
        Set<String> all = new TreeSet<>(subject.authorities());
        subject.claims().forEach((name, value) -> {
            Collection<?> values = value instanceof Collection<?> several ? several : List.of(value);
            values.forEach(each -> all.add(name + "=" + each));
        });
        Set<String> known = rules.stream()
                .filter(rule -> rule.source().equals(source))
                .map(Rule::fact)
                .collect(Collectors.toSet());
        return all.stream().filter(known::contains).toList();
    }

    /**
     * The roles for these facts.
     *
     * @param source the name of the subject's source
     * @param facts about the subject
     * @return roles of the server; empty without a matching rule
     */
    public Set<String> rolesFor(String source, Collection<String> facts) {
        return rules.stream()
                .filter(rule -> rule.source().equals(source) && facts.contains(rule.fact()))
                .map(Rule::role)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }
}
