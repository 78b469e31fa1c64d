package dev.latchkey.auth.jdbc.databases;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import javax.sql.DataSource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/**
 * A database of a server that ends with this JVM.
 *
 * @param dialects as the scripts of auth-jdbc and of the plugins call it
 */
record Server(String url, String user, Dialects dialects) {

    record Dialects(String ofStores, String ofPlugins) {}

    /** Makes the tables of all stores, and one of the service's own; a script may be run twice. */
    Server withTables() {
        new JdbcTemplate(plain()).execute("CREATE TABLE of_the_service (id INT PRIMARY KEY)");
        for (String script : scripts()) {
            Resource text = forThisServer(script);
            new ResourceDatabasePopulator(text, text).execute(plain());
        }
        return this;
    }

    /** The collation came with MySQL 8.0.17. The server of these tests has 8.0.15, and no collation like it that counts trailing blanks. */
    private static Resource forThisServer(String script) {
        try {
            String text = new ClassPathResource(script).getContentAsString(StandardCharsets.UTF_8);
            return new ByteArrayResource(
                    text.replace("utf8mb4_0900_bin", "utf8mb4_bin").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same database, for a user with the documented rights alone. */
    Server limited() {
        DocumentedRights.on(this).give(plain());
        // The user may not create a database, as the drivers of MariaDB and MySQL are told to.
        return new Server(url.replace("?createDatabaseIfNotExist=true", ""), DocumentedRights.USER, dialects);
    }

    private Set<String> scripts() {
        Set<String> scripts = new LinkedHashSet<>();
        Arrays.stream(Store.values()).map(this::script).forEach(scripts::add);
        return scripts;
    }

    private String script(Store store) {
        return store.script(
                switch (store) {
                    case REVOCATIONS, LOGINS -> dialects.ofStores();
                    case CODES, API_KEYS, PASSKEYS, PERMISSIONS -> dialects.ofPlugins();
                });
    }

    /** A connection for each question, each of which is committed. */
    DataSource plain() {
        return new DriverManagerDataSource(url, user, "");
    }

    /** As services have one. */
    HikariDataSource pool(Pool pool) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(user);
        config.setPassword("");
        config.setAutoCommit(pool.commits() == Pool.Commits.BY_ITSELF);
        config.setTransactionIsolation(pool.isolation());
        config.setMaximumPoolSize(pool.size());
        config.setMinimumIdle(1);
        return new HikariDataSource(config);
    }
}
