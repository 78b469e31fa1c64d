package dev.latchkey.auth.spring.limits;

import dev.latchkey.auth.guard.login.LimitedLogins;
import org.springframework.context.ApplicationContext;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;

/**
 * Puts the login limits around the manager that a filter chain asks, whoever made it: {@code http.authenticationManager(…)} takes
 * one that is no bean. Spring Security adds this to each {@code HttpSecurity} before the service configures it, so that every
 * filter that is configured later is given the limited one.
 */
public final class LoginLimitConfigurer extends AbstractHttpConfigurer<LoginLimitConfigurer, HttpSecurity> {

    @Override
    public void configure(HttpSecurity http) {
        AuthenticationManager manager = http.getSharedObject(AuthenticationManager.class);
        if (manager == null || LoginLimitPostProcessor.isLimited(manager)) {
            return;
        }
        http.getSharedObject(ApplicationContext.class)
                .getBeanProvider(LimitedLogins.class)
                .ifAvailable(logins ->
                        http.setSharedObject(AuthenticationManager.class, new LimitedPasswords(manager, logins)));
    }
}
