package dev.latchkey.benchmarks.plain;

import java.util.Map;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

/** The encoder, and the user store. */
@Configuration(proxyBeanMethods = false)
class AccountConfiguration {

    @Bean
    PasswordEncoder passwordEncoder(PlainProperties plain) {
        return switch (plain.hashing()) {
            case BCRYPT -> new BCryptPasswordEncoder();
            case LEAST_CACHE -> new LeastCache();
            case NONE -> unhashed();
        };
    }

    @SuppressWarnings("deprecation") // The yardstick of the measurement.
    private static PasswordEncoder unhashed() {
        return org.springframework.security.crypto.password.NoOpPasswordEncoder.getInstance();
    }

    @Bean
    UserDetailsService accounts(PlainProperties plain) {
        Map<String, String> stored = plain.accounts();
        return name -> {
            String password = stored.get(name);
            if (password == null) {
                throw new UsernameNotFoundException("There is no such account");
            }
            return User.withUsername(name).password(password).roles("USER").build();
        };
    }
}
