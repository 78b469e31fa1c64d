package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.Subject;
import java.util.Map;

/**
 * Claims of the service's own in the tokens that it issues, beside those of the subject itself: a bean of this type is asked for each token,
 * at the login and at every refresh.
 *
 * <pre>{@code
 * @Bean
 * TokenClaims regions(Regions regions) {
 *     return subject -> Map.of("region", regions.of(subject.id()));
 * }
 * }</pre>
 *
 * <p>Safe for use by any number of threads.
 */
@FunctionalInterface
public interface TokenClaims {

    /**
     * The claims to add to a token. Called on the thread of the login or refresh; what it throws ends that as an error of the service.
     *
     * @param subject whom the token is issued to
     * @return the claims by their names. One of a name that the subject has takes its place. {@link Subject#claims()} says which names, types and
     *     sizes may be; others end the login as an error of the service
     */
    Map<String, ?> of(Subject subject);
}
