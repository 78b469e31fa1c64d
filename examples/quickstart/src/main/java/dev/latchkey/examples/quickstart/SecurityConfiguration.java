package dev.latchkey.examples.quickstart;

import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.springframework.security.config.Customizer.withDefaults;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.spring.access.LatchkeyPermissions;
import dev.latchkey.plugins.codes.SecretKeys;
import dev.latchkey.plugins.passkeys.Passkeys;
import dev.latchkey.plugins.passkeys.RelyingParty;
import dev.latchkey.plugins.passkeys.store.PasskeyStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.JdbcUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/**
 * The usual configuration of a service with HTTP Basic, and one more line: {@code with(latchkey(), …)}. The rules for notes ask
 * the permissions. A challenge for a passkey changes nothing, so the challenge needs no CSRF token.
 */
@Configuration(proxyBeanMethods = false)
class SecurityConfiguration {

    @Bean
    SecurityFilterChain api(HttpSecurity http, LatchkeyPermissions latchkey) {
        return http.authorizeHttpRequests(requests -> requests.requestMatchers("/api/admin/**")
                        .hasRole("ADMIN")
                        .requestMatchers(HttpMethod.GET, "/api/notes/{owner}")
                        .access(latchkey.permission("note:{owner}", "r"))
                        .requestMatchers(HttpMethod.PUT, "/api/notes/{owner}")
                        .access(latchkey.permission("note:{owner}", "w"))
                        .requestMatchers("/api/notes/**")
                        .denyAll()
                        .requestMatchers(HttpMethod.POST, "/auth/passkeys/challenge")
                        .permitAll()
                        .anyRequest()
                        .authenticated())
                .httpBasic(withDefaults())
                .with(latchkey(), withDefaults())
                .sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .csrf(csrf -> csrf.ignoringRequestMatchers("/auth/passkeys/challenge"))
                .build();
    }

    @Bean
    PasswordEncoder passwordEncoder() {
        return new BCryptPasswordEncoder();
    }

    @Bean
    JdbcUserDetailsManager accounts(DataSource database) {
        return new JdbcUserDetailsManager(database);
    }

    /** The example makes its own key and runs at once. A real service sets {@code latchkey.jwt.secret}. */
    @Bean
    @ConditionalOnProperty(name = "latchkey.jwt.secret", havingValue = "false", matchIfMissing = true)
    HmacKey signingKey(@Value("${quickstart.signing-key}") Path file) throws IOException {
        return HmacKey.ofFile(KeyFile.madeIfAbsent(file, Base64.getEncoder()::encodeToString));
    }

    /** The same for the secrets of one-time codes; a real service sets {@code latchkey.plugin.one-time-codes.key-file}. */
    @Bean
    @ConditionalOnProperty(
            name = "latchkey.plugin.one-time-codes.key-file",
            havingValue = "false",
            matchIfMissing = true)
    SecretKeys codesKey(@Value("${quickstart.codes-key}") Path file) {
        return SecretKeys.fromFiles(KeyFile.madeIfAbsent(file, HexFormat.of()::formatHex), List.of());
    }

    /** The same for the challenges of passkeys; a real service sets {@code latchkey.plugin.passkeys.key-file}. */
    @Bean
    @ConditionalOnProperty(name = "latchkey.plugin.passkeys.key-file", havingValue = "false", matchIfMissing = true)
    Passkeys passkeys(
            PasskeyStore store,
            @Value("${quickstart.passkeys-key}") Path file,
            @Value("${latchkey.plugin.passkeys.rp-id}") String domain,
            @Value("${latchkey.plugin.passkeys.origins}") Set<String> origins)
            throws IOException {
        String key = Files.readString(KeyFile.madeIfAbsent(file, HexFormat.of()::formatHex));
        return Passkeys.of(
                store,
                new RelyingParty(domain, "Latchkey quickstart", origins),
                Secret.of(HexFormat.of().parseHex(key)));
    }
}
