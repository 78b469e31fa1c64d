package dev.latchkey.benchmarks.services;

import dev.latchkey.benchmarks.services.SubjectProperties.Hashing;
import dev.latchkey.benchmarks.services.SubjectProperties.Store;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.support.DataAccessUtils;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.crypto.password.Pbkdf2PasswordEncoder;
import org.springframework.security.crypto.password.Pbkdf2PasswordEncoder.SecretKeyFactoryAlgorithm;

/** The accounts, as a service has them: a password encoder and a user details service, nothing of Latchkey. */
@Configuration(proxyBeanMethods = false)
class AccountConfiguration {

    private static final int WEAK_ROUNDS = 1_000;
    private static final int WEAK_SALT_BYTES = 16;

    @Bean
    PasswordEncoder passwordEncoder(SubjectProperties subject) {
        return new TaggedEncoder(
                switch (subject.hashing()) {
                    case NONE -> plainText();
                    case BCRYPT -> new BCryptPasswordEncoder(10);
                    case WEAK_PBKDF2 ->
                        new Pbkdf2PasswordEncoder(
                                "", WEAK_SALT_BYTES, WEAK_ROUNDS, SecretKeyFactoryAlgorithm.PBKDF2WithHmacSHA1);
                });
    }

    @SuppressWarnings("deprecation") // The yardstick: the service without any hash.
    private static PasswordEncoder plainText() {
        return org.springframework.security.crypto.password.NoOpPasswordEncoder.getInstance();
    }

    @Bean
    UserDetailsService accounts(SubjectProperties subject, ObjectProvider<JdbcTemplate> database) {
        if (subject.store() == Store.JDBC) {
            JdbcTemplate jdbc = database.getObject();
            String column = subject.hashing() == Hashing.WEAK_PBKDF2 ? "weak" : "strong";
            String query = "select " + column + " from accounts where name = ?";
            return name -> user(name, DataAccessUtils.singleResult(jdbc.queryForList(query, String.class, name)));
        }
        StoredHashes hashes = new StoredHashes(subject.hashes(), subject.accounts());
        return name -> user(name, hashes.find(name).orElse(null));
    }

    private static UserDetails user(String name, @Nullable String stored) {
        if (stored == null) {
            throw new UsernameNotFoundException("There is no such account");
        }
        return User.withUsername(name).password(stored).roles("USER").build();
    }
}
