package dev.latchkey.auth.spring.settings;

import static org.springframework.context.ConfigurableApplicationContext.ENVIRONMENT_BEAN_NAME;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Stops the start if the configuration has an unknown key, or enables a part of Latchkey without the beans or classes
 * that the part needs. Otherwise the conditions of the part would silently omit the part.
 */
@AutoConfiguration
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
public final class LatchkeyMistakesAutoConfiguration implements BeanFactoryPostProcessor {

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        // Looks up the environment by name, because a search by type would create factory beans of the service.
        new UnknownKeys(beans.getBean(ENVIRONMENT_BEAN_NAME, ConfigurableEnvironment.class)).check(beans);
    }

    /**
     * Excludes the beans of Latchkey and its plugins from lazy initialization, because these beans check the settings
     * at the start.
     */
    @Bean
    @ConditionalOnMissingBean(name = "latchkeyBeansAtTheStart")
    static LazyInitializationExcludeFilter latchkeyBeansAtTheStart() {
        return (name, definition, type) -> isOfLatchkey(
                definition.getFactoryBeanName() == null
                        ? definition.getBeanClassName()
                        : definition.getFactoryBeanName());
    }

    /** A configuration class that a service imports has its class name as bean name. */
    private static boolean isOfLatchkey(@Nullable String configuration) {
        return configuration != null
                && (configuration.startsWith("dev.latchkey.auth.")
                        || configuration.startsWith("dev.latchkey.plugins."));
    }

    @Bean
    @ConditionalOnProperty("latchkey.login.enabled")
    @ConditionalOnMissingClass("org.springframework.security.config.annotation.web.builders.HttpSecurity")
    @ConditionalOnMissingBean(name = "latchkeyLoginNeedsSecurity")
    InitializingBean latchkeyLoginNeedsSecurity() {
        return () -> {
            throw new LatchkeyConfigurationException(
                    "latchkey.login.enabled is true, and Spring Security is not on the class path",
                    "Add the dependency org.springframework.boot:spring-boot-starter-security.");
        };
    }

    /** Only if the property is set: by default, a service without Redis is complete. */
    @Bean
    @ConditionalOnProperty(name = "latchkey.store", havingValue = "redis")
    @ConditionalOnMissingBean(
            type = "dev.latchkey.auth.spring.shared.LatchkeyRedisAutoConfiguration",
            name = "latchkeyRedisIsMissing")
    InitializingBean latchkeyRedisIsMissing() {
        return () -> {
            throw new LatchkeyConfigurationException(
                    "latchkey.store is redis, and revocations and logins cannot be kept in Redis",
                    "That takes dev.latchkey:auth-redis and spring-boot-starter-data-redis on the class path, and one "
                            + "RedisConnectionFactory or a primary one. Where there is none of these on purpose, leave the property "
                            + "out.");
        };
    }

    /** Only if the property is set: by default, a service without a database is complete. */
    @Bean
    @ConditionalOnProperty(name = "latchkey.store", havingValue = "jdbc")
    @ConditionalOnMissingBean(
            type = "dev.latchkey.auth.spring.shared.LatchkeyJdbcAutoConfiguration",
            name = "latchkeyDatabaseIsMissing")
    InitializingBean latchkeyDatabaseIsMissing() {
        return () -> {
            throw new LatchkeyConfigurationException(
                    "latchkey.store is jdbc, and revocations and logins cannot be kept in the database",
                    "That takes dev.latchkey:auth-jdbc and spring-boot-starter-jdbc on the class path, and one DataSource or a "
                            + "primary one. Spring Boot makes no DataSource beside an R2DBC ConnectionFactory: declare a DataSource bean. "
                            + "Where there is none of these on purpose, leave the property out.");
        };
    }
}
