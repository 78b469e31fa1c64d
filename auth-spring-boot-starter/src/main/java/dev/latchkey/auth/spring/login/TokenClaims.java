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
 */
@FunctionalInterface
public interface TokenClaims {

    /**
     * The claims to add; one of a name that the subject has takes its place. Names, types and sizes are bounded as {@link Subject#claims()}
     * says: what is not is an error of the service, and the login ends with it. Called on the thread of the login.
     */
    Map<String, ?> of(Subject subject);
}
