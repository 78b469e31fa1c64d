package dev.latchkey.auth.spring.limits;

import org.springframework.context.ApplicationContext;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;

/**
 * Decorates the manager of a filter chain as {@link LoginPostProcessor} decorates beans: {@code http.authenticationManager(…)}
 * accepts a manager outside the beans. Spring Security adds this configurer to each {@code HttpSecurity} before the service's
 * configuration, so every later filter gets the decorated manager.
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
