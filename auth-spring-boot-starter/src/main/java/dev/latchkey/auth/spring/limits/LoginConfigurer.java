package dev.latchkey.auth.spring.limits;

import org.springframework.context.ApplicationContext;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;

/**
 * Puts around the manager that a filter chain asks what {@link LoginPostProcessor} puts around beans: {@code http.authenticationManager(…)} takes one
 * that is no bean. Spring Security adds this to each {@code HttpSecurity} before the service configures it, so every filter that is configured later
 * is given the decorated manager.
 */
final class LoginConfigurer extends AbstractHttpConfigurer<LoginConfigurer, HttpSecurity> {

    @Override
    public void configure(HttpSecurity http) {
        AuthenticationManager manager = http.getSharedObject(AuthenticationManager.class);
        if (manager == null || LoginPostProcessor.isDecorated(manager)) {
            return;
        }
        http.getSharedObject(ApplicationContext.class)
                .getBeanProvider(LoginPostProcessor.class)
                .ifAvailable(logins -> http.setSharedObject(AuthenticationManager.class, logins.around(manager)));
    }
}
