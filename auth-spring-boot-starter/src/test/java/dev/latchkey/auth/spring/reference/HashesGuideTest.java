package dev.latchkey.auth.spring.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.httpBasic;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.Until;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Base64;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.test.web.servlet.MockMvc;

/** {@code how-to/move-hashes.md}, followed: accounts with hashes of PHP and of an LDAP directory. */
@Tag("long")
class HashesGuideTest {

    /** {@code {SSHA}} of the password of {@link Services}, with the salt "salted". */
    private static final String OF_LDAP = ssha(Services.PASSWORD, "salted");

    private static final String OF_PHP =
            new BCryptPasswordEncoder(4).encode(Services.PASSWORD).replace("$2a$", "$2y$");

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"php", "ldap"})
    void oldHash_isRead_andReplacedAfterTheLogin(String account) throws Exception {
        try (Guide guide = Guide.of("how-to/move-hashes.md", folder)) {
            Services.web()
                    .withUserConfiguration(OldAccounts.class)
                    .withPropertyValues(guide.configuration(0))
                    .run(context -> {
                        MockMvc mvc = Services.mvc(context);
                        UserDetailsService store = context.getBean(UserDetailsService.class);
                        mvc.perform(get("/hello").with(httpBasic(account, "not it")))
                                .andExpect(status().isUnauthorized());
                        assertThat(store.loadUserByUsername(account).getPassword())
                                .isIn(OF_PHP, OF_LDAP);
                        mvc.perform(get("/hello").with(httpBasic(account, Services.PASSWORD)))
                                .andExpect(status().isOk());
                        Until.until(() ->
                                store.loadUserByUsername(account).getPassword().startsWith("{bcrypt}$2b$12$"));
                        mvc.perform(get("/hello").with(httpBasic(account, Services.PASSWORD)))
                                .andExpect(status().isOk());
                    });
        }
    }

    /** Of accounts that take no new hash themselves, as Spring Security 6 has them in tables. */
    @ParameterizedTest
    @ValueSource(strings = {"latchkey.guard.enabled=true", "latchkey.guard.enabled=false"})
    void storeOfThePage_takesNewHashes(String guard) throws Exception {
        try (Guide guide = Guide.of("how-to/move-hashes.md", folder)) {
            Services.web()
                    .withClassLoader(guide.loader())
                    .withBean(DataSource.class, HashesGuideTest::table)
                    .withUserConfiguration(AccountsInATable.class, guide.type("NewHashes"))
                    .withPropertyValues(guide.configuration(0))
                    .withPropertyValues(guard)
                    .run(context -> {
                        Services.mvc(context)
                                .perform(get("/hello").with(httpBasic("php", Services.PASSWORD)))
                                .andExpect(status().isOk());
                        DataSource table = context.getBean(DataSource.class);
                        Until.until(() -> hashIn(table).startsWith("{bcrypt}$2b$12$"));
                    });
        }
    }

    @Test
    void nameOfThePepper_isStoredWithEachHash() throws Exception {
        try (Guide guide = Guide.of("how-to/move-hashes.md", folder)) {
            Files.writeString(guide.secret("pepper.key"), Services.KEY);
            Services.web()
                    .withUserConfiguration(OldAccounts.class)
                    .withPropertyValues(guide.configuration(1))
                    .withPropertyValues("latchkey.password.encoding=bcrypt:cost=10")
                    .run(context -> assertThat(
                                    context.getBean(PasswordEncoder.class).encode(Services.PASSWORD))
                            .contains("2026"));
        }
    }

    private static DataSource table() {
        JdbcDataSource table = new JdbcDataSource();
        table.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        try (Connection connection = table.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE users (username VARCHAR(50) PRIMARY KEY, password VARCHAR(200))");
            statement.execute("INSERT INTO users VALUES ('php', '" + OF_PHP + "')");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
        return table;
    }

    private static String hashIn(DataSource table) {
        try (Connection connection = table.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT password FROM users")) {
            assertThat(rows.next()).isTrue();
            return rows.getString(1);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static String ssha(String password, String salt) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-1");
            sha.update(password.getBytes(StandardCharsets.UTF_8));
            byte[] salted = salt.getBytes(StandardCharsets.US_ASCII);
            byte[] digest = sha.digest(salted);
            byte[] both = Arrays.copyOf(digest, digest.length + salted.length);
            System.arraycopy(salted, 0, both, digest.length, salted.length);
            return "{SSHA}" + Base64.getEncoder().encodeToString(both);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OldAccounts {

        @Bean
        InMemoryUserDetailsManager accounts() {
            return new InMemoryUserDetailsManager(
                    User.withUsername("php")
                            .password(OF_PHP)
                            .authorities("ROLE_USER")
                            .build(),
                    User.withUsername("ldap")
                            .password(OF_LDAP)
                            .authorities("ROLE_USER")
                            .build());
        }

        @Bean
        Services.Hello hello() {
            return new Services.Hello();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class AccountsInATable {

        @Bean
        UserDetailsService accounts(DataSource table) {
            return name -> User.withUsername(name)
                    .password(hashIn(table))
                    .authorities("ROLE_USER")
                    .build();
        }

        @Bean
        Services.Hello hello() {
            return new Services.Hello();
        }
    }
}
