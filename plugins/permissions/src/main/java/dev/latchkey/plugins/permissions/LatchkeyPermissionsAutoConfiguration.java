package dev.latchkey.plugins.permissions;

import dev.latchkey.auth.factory.PluginConfigException;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/** The plugin {@code permissions}, active if {@code latchkey.permissions.policy.store} names the policy's store. */
@AutoConfiguration(
        beforeName = "dev.latchkey.auth.spring.plugin.LatchkeyAutoConfiguration",
        afterName = {
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"
        })
@ConditionalOnProperty("latchkey.permissions.policy.store")
@EnableConfigurationProperties(PermissionsProperties.class)
public final class LatchkeyPermissionsAutoConfiguration {

    /** The plugin's name in {@code latchkey.plugins}. */
    public static final String NAME = "permissions";

    @Bean
    @ConditionalOnMissingBean
    PermissionsPlugin latchkeyPermissionsPlugin(
            PermissionsProperties properties,
            ObjectProvider<PolicyStore> stores,
            @Qualifier("latchkeyNanoTime") ObjectProvider<LongSupplier> nanoTime) {
        PolicyStore store = stores.getIfAvailable();
        if (store == null) {
            throw new PluginConfigException(
                    "There is no store of roles and permissions. Set latchkey.permissions.policy.store to"
                            + " properties, or to jdbc with spring-jdbc on the class path, or define a PolicyStore bean");
        }
        return PermissionsPlugin.of(
                NAME, store, properties.seenWithin(), nanoTime.getIfAvailable(() -> System::nanoTime));
    }

    @Bean
    @ConditionalOnMissingBean(PolicyStore.class)
    @ConditionalOnProperty(name = "latchkey.permissions.policy.store", havingValue = "properties")
    PolicyStore latchkeyConfiguredPolicyStore(PermissionsProperties properties) {
        return properties.configured();
    }

    /** For a service with Spring's JDBC support. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(JdbcTemplate.class)
    @ConditionalOnProperty(name = "latchkey.permissions.policy.store", havingValue = "jdbc")
    @ConditionalOnMissingBean(PolicyStore.class)
    static class Jdbc {

        @Bean
        @ConditionalOnMissingBean
        JdbcPolicyStore latchkeyJdbcPolicyStore(ObjectProvider<DataSource> dataSource) {
            DataSource only = dataSource.getIfUnique();
            if (only == null) {
                throw new PluginConfigException(
                        "latchkey.permissions.policy.store is jdbc, and there is not one DataSource: define one, "
                                + "or a JdbcPolicyStore bean for the one that is meant. Spring Boot makes no DataSource beside an R2DBC"
                                + " ConnectionFactory");
            }
            return JdbcPolicyStore.in(only);
        }

        /** After all beans, and so after the migrations of Flyway, of Liquibase and of Spring. */
        @Bean
        @ConditionalOnMissingBean(name = "latchkeyPolicyTables")
        @DependsOnDatabaseInitialization
        SmartInitializingSingleton latchkeyPolicyTables(ObjectProvider<JdbcPolicyStore> store) {
            return () -> store.ifUnique(JdbcPolicyStore::requireTables);
        }
    }
}
