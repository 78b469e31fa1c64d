package dev.latchkey.benchmarks.request;

import org.springframework.http.HttpStatus;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.web.authentication.HttpStatusEntryPoint;

/** What all chains have in common. */
final class StatelessChain {

    private StatelessChain() {}

    /** Of an API whose callers bring what they show with each request. */
    static HttpSecurity of(HttpSecurity http) {
        return http.sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .csrf(csrf -> csrf.disable())
                // The generator keeps a cache like a browser's, and would spend its time on reading "Expires: 0".
                .headers(headers -> headers.cacheControl(cache -> cache.disable()));
    }

    /** The same for callers who have to show something, and are told so by a bare 401 unless the chain knows better. */
    static HttpSecurity authenticated(HttpSecurity http) {
        return of(http).authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                .exceptionHandling(failures ->
                        failures.authenticationEntryPoint(new HttpStatusEntryPoint(HttpStatus.UNAUTHORIZED)));
    }
}
