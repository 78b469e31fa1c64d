package dev.latchkey.auth.jdbc.databases;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import javax.sql.DataSource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/**
 * A database of a server that ends with this JVM.
 *
 * @param dialects as the scripts of auth-jdbc and of the plugins call it
 */
record Server(String url, String user, Dialects dialects) {

    record Dialects(String ofStores, String ofPlugins, String ofPermissions) {}

    /** Makes the tables of all stores, and one of the service's own; a script may be run twice. */
    Server withTables() {
        new JdbcTemplate(plain()).execute("CREATE TABLE of_the_service (id INT PRIMARY KEY)");
        for (String script : scripts()) {
            ClassPathResource text = new ClassPathResource(script);
            new ResourceDatabasePopulator(text, text).execute(plain());
        }
        return this;
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
                    case CODES, API_KEYS -> dialects.ofPlugins();
                    case PERMISSIONS -> dialects.ofPermissions();
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
