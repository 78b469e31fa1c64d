package dev.latchkey.examples.quickstart;

import dev.latchkey.auth.spring.account.LoginDevices;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.header.writers.CrossOriginResourcePolicyHeaderWriter.CrossOriginResourcePolicy;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;

/**
 * The page at {@code /} and its files, open to all callers because the files have no data. A filter chain of their own keeps
 * the rules of the API unchanged. The page reads its data from the API, with a token.
 */
@Configuration(proxyBeanMethods = false)
class PageConfiguration {

    /**
     * Scripts, styles and requests of this origin only, nothing inline, and no frame around the page. The browser itself cannot
     * send a form: without the scripts, a password must not end up in the address line.
     */
    static final String CONTENT_SECURITY_POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
                    + "img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    @Bean
    @Order(0)
    SecurityFilterChain page(HttpSecurity http) {
        return http.securityMatcher("/", "/index.html", "/page/**")
                .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                .headers(headers -> headers.contentSecurityPolicy(
                                policy -> policy.policyDirectives(CONTENT_SECURITY_POLICY))
                        .referrerPolicy(referrer -> referrer.policy(ReferrerPolicy.NO_REFERRER))
                        .crossOriginResourcePolicy(resource -> resource.policy(CrossOriginResourcePolicy.SAME_ORIGIN)))
                .sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .csrf(csrf -> csrf.disable())
                .build();
    }

    /** The name of a device in the list of sessions: a few fixed words, for any content of the header field. */
    @Bean
    LoginDevices devices() {
        return request -> request.header("User-Agent").stream().findFirst().map(DeviceNames::of);
    }
}
