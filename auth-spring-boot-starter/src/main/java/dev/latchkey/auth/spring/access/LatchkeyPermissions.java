package dev.latchkey.auth.spring.access;

import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.plugin.Subjects;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationManager;
import org.springframework.security.web.access.intercept.RequestAuthorizationContext;

/**
 * Rules for servlet filter chains, decided by the plugins:
 *
 * <pre>{@code
 * @Bean
 * SecurityFilterChain api(HttpSecurity http, LatchkeyPermissions latchkey) throws Exception {
 *     return http.authorizeHttpRequests(requests -> requests
 *                     .requestMatchers(GET, "/namespaces/{ns}/config").access(latchkey.permission("ns:{ns}:config", "r"))
 *                     .anyRequest().denyAll())
 *             .with(latchkey(), withDefaults())
 *             .build();
 * }
 * }</pre>
 *
 * <p>On WebFlux, use {@code LatchkeyWebFlux.permission}. Thread-safe.
 */
public final class LatchkeyPermissions {

    private final AuthChain plugins;

    LatchkeyPermissions(AuthChain plugins) {
        this.plugins = plugins;
    }

    /**
     * A rule that asks the plugins. The first plugin that does not abstain decides. The rule denies if every plugin abstains, if
     * the caller is not authenticated, and if a variable's value is blank or contains a separator of the resource name.
     *
     * <p>A plugin that is down is no denial: the answer is 503.
     *
     * @param resource the name of the resource, with path variables in braces
     * @param action the action in the plugins' terms
     * @return for {@code access(…)} behind a matcher with these variables
     * @throws IllegalArgumentException if the resource is no pattern, or the action is blank
     */
    public AuthorizationManager<RequestAuthorizationContext> permission(String resource, String action) {
        Subjects subjects = new Subjects(plugins);
        PermissionPattern pattern = PermissionPattern.of(resource, action);
        return new Rule((login, request) -> new AuthorizationDecision(subjects.of(login)
                .flatMap(subject -> pattern.resolve(request.getVariables())
                        .filter(permission -> plugins.authorize(subject, permission)))
                .isPresent()));
    }
}
