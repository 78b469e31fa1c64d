package dev.latchkey.auth.engine;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.Passed;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Subject;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Builds a login from its parts. Each row names a part, its sources and the rule for several values:
 *
 * <table>
 *   <caption>Parts of a login</caption>
 *   <tr><th>part</th><th>source</th><th>each passed step</th><th>rule</th></tr>
 *   <tr><td>id</td><td>yes, named by {@link SubjectNames}</td><td>no</td><td>steps cannot change the subject</td></tr>
 *   <tr><td>authorities</td><td>yes</td><td>yes</td><td>union</td></tr>
 *   <tr><td>claims</td><td>yes</td><td>yes</td><td>union; the earlier value of a name wins</td></tr>
 *   <tr><td>factors</td><td>yes, and {@code pwd} for a password</td><td>the step's method, and more</td><td>union</td></tr>
 *   <tr><td>time of the factors</td><td>yes</td><td>yes</td><td>the earliest</td></tr>
 *   <tr><td>end</td><td>yes</td><td>yes</td><td>the earliest</td></tr>
 *   <tr><td>stamp, details, name of the plugin</td><td>yes</td><td>no</td><td>the source refreshes the session</td></tr>
 * </table>
 */
record Completion(SubjectNames names, InstantSource clock) {

    /**
     * The login after the decision of its source; null if the service cannot name the subject. The time of a password is the
     * start of its check. The check may read the account before a change of the password and a revocation, and end afterwards.
     */
    @Nullable
    Authenticated ofSource(LoginSource<?> source, Credentials credentials, Authenticated decided, Instant begun) {
        Subject named = names.inService(source, decided.subject());
        if (named == null) {
            return null;
        }
        Factors factors = credentials instanceof PasswordCredentials
                ? decided.factors().and(Set.of(Factors.PASSWORD), begun)
                : decided.factors();
        return new Authenticated(
                named,
                decided.validUntil(),
                source.name(),
                factors,
                decided.stamp(),
                decided.details(),
                decided.created());
    }

    /**
     * The login after a further step.
     *
     * @throws IllegalArgumentException if the login has too many factors or claims
     */
    Authenticated afterStep(Challenged challenge, Passed step) {
        Authenticated login = challenge.soFar();
        Instant now = clock.instant();
        Factors factors = login.factors().and(Set.of(challenge.method()), now).and(step.factors(), now);
        return login.withSubject(withMore(login.subject(), step))
                .withFactors(factors)
                .until(step.validUntil());
    }

    private static Subject withMore(Subject subject, Passed step) {
        Subject result = subject;
        if (!step.authorities().isEmpty()) {
            Collection<String> authorities = new TreeSet<>(subject.authorities());
            authorities.addAll(step.authorities());
            result = result.withAuthorities(authorities);
        }
        if (!step.claims().isEmpty()) {
            Map<String, Object> claims = new LinkedHashMap<>(step.claims());
            claims.putAll(subject.claims());
            result = result.withClaims(claims);
        }
        return result;
    }

    boolean isInTime(Authenticated login) {
        return clock.instant().isBefore(login.validUntil());
    }
}
