package dev.latchkey.auth.spring.access;

import dev.latchkey.auth.engine.AuthChain;
import org.springframework.security.authorization.AuthorizationManager;
import org.springframework.security.web.access.intercept.RequestAuthorizationContext;

/**
 * Rules of a servlet service's filter chain that ask the plugins:
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
 * <p>On WebFlux it is {@code LatchkeyWebFlux.permission}. Safe for use by any number of threads.
 */
public final class LatchkeyPermissions {

    private final AuthChain plugins;

    LatchkeyPermissions(AuthChain plugins) {
        this.plugins = plugins;
    }

    /**
     * A rule that asks the plugins. It grants what the first plugin that does not abstain grants, and denies all else: where every plugin abstains,
     * where nobody has logged in, and where the value of a variable is blank or has a character that separates the parts of the resource's name.
     *
     * <p>A plugin that is down is no denial: the request is answered with 503.
     *
     * @param resource its name, with variables of the matcher's path in braces
     * @param action what is to be done to it, as the plugins call that
     * @return for {@code access(…)} behind a matcher that has these variables
     * @throws IllegalArgumentException if the resource is no pattern, or the action is blank
     */
    public AuthorizationManager<RequestAuthorizationContext> permission(String resource, String action) {
        return new PermissionRule(plugins, PermissionPattern.of(resource, action));
    }
}
