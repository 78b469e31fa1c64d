package dev.latchkey.plugins.apikeys.spring;

import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.Callers;
import dev.latchkey.auth.engine.OutageLog;
import dev.latchkey.auth.factory.PluginConfigException;
import dev.latchkey.plugins.apikeys.ApiKeys;
import dev.latchkey.plugins.apikeys.ApiKeysPlugin;
import dev.latchkey.plugins.apikeys.KeyDigests;
import dev.latchkey.plugins.apikeys.OwnApiKeys;
import dev.latchkey.plugins.apikeys.store.ApiKeyStore;
import dev.latchkey.plugins.apikeys.store.JdbcApiKeyStore;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.core.Authentication;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.servlet.DispatcherServlet;
import reactor.core.publisher.Mono;

/** API keys in the service's database. */
@AutoConfiguration
@ConditionalOnProperty(
        name = {"latchkey.enabled", ApiKeysProperties.PREFIX + ".enabled"},
        matchIfMissing = true)
@EnableConfigurationProperties(ApiKeysProperties.class)
public final class ApiKeysAutoConfiguration {

    private static final String ENDPOINTS = ApiKeysProperties.PREFIX + ".endpoints-enabled";

    @Bean
    @ConditionalOnMissingBean
    ApiKeysPlugin apiKeysPlugin(ApiKeysProperties properties, ApiKeys keys) {
        return properties.plugin(keys);
    }

    /**
     * @param chain looked up at each call, because the chain contains the plugin of these keys
     * @param clock the starter's clock, by its name, because a clock of the service may have another purpose
     * @param nanoTime by its name too; only tests define this bean
     */
    @Bean
    @ConditionalOnMissingBean
    ApiKeys apiKeys(
            ApiKeysProperties properties,
            KeyDigests digests,
            ObjectProvider<ApiKeyStore> stores,
            ObjectProvider<AuthChain> chain,
            @Qualifier("latchkeyClock") ObjectProvider<InstantSource> clock,
            @Qualifier("latchkeyNanoTime") ObjectProvider<LongSupplier> nanoTime) {
        ApiKeyStore store = stores.getIfAvailable();
        if (store == null) {
            throw new PluginConfigException(
                    "API keys need spring-jdbc on the class path, or a bean of type ApiKeyStore");
        }
        return ApiKeys.of(
                        store,
                        digests,
                        properties.settings(),
                        (plugin, account) -> chain.getObject().decidedLogins().account(plugin, account))
                .withClock(clock.getIfAvailable(InstantSource::system))
                .withNanoTime(nanoTime.getIfAvailable(() -> System::nanoTime));
    }

    @Bean
    @ConditionalOnMissingBean
    KeyDigests apiKeyDigests(ApiKeysProperties properties) {
        return properties.digests();
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(JdbcClient.class)
    @ConditionalOnMissingBean(ApiKeyStore.class)
    static final class StoreConfiguration {

        @Bean
        @ConditionalOnMissingBean
        JdbcApiKeyStore apiKeyStore(ObjectProvider<DataSource> dataSources) {
            DataSource dataSource = dataSources.getIfUnique();
            if (dataSource == null) {
                throw new PluginConfigException("API keys need one DataSource, or a bean of type ApiKeyStore; there is"
                        + " no DataSource, or there are several and none is primary."
                        + " Spring Boot makes no DataSource beside an R2DBC ConnectionFactory");
            }
            return new JdbcApiKeyStore(dataSource);
        }

        /** Runs after the creation of all beans, and so after the migrations of Flyway, of Liquibase and of Spring. */
        @Bean
        @ConditionalOnMissingBean(name = "apiKeyTable")
        @DependsOnDatabaseInitialization
        SmartInitializingSingleton apiKeyTable(ObjectProvider<JdbcApiKeyStore> store) {
            return () -> store.ifUnique(JdbcApiKeyStore::requireTables);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Authentication.class, DispatcherServlet.class})
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static final class ServletConfiguration {

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnProperty(ENDPOINTS)
        KeysController apiKeysController(KeyEndpoint endpoint) {
            return new KeysController(endpoint);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Authentication.class, DispatcherHandler.class, Mono.class})
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    static final class WebFluxConfiguration {

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnProperty(ENDPOINTS)
        ReactiveKeysController reactiveApiKeysController(KeyEndpoint endpoint) {
            return new ReactiveKeysController(endpoint);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Authentication.class)
    @ConditionalOnProperty(ENDPOINTS)
    static final class EndpointConfiguration {

        /** Without the plugin in the chain, issued keys would be rejected as wrong. */
        @Bean
        @ConditionalOnMissingBean
        OwnApiKeys ownApiKeys(AuthChain chain, ApiKeys keys) {
            if (!chain.pluginNames().contains(ApiKeysPlugin.NAME)) {
                throw new PluginConfigException("latchkey.plugins does not name " + ApiKeysPlugin.NAME
                        + ", so the keys issued at " + ENDPOINTS + " would be rejected. Add the name");
            }
            return new OwnApiKeys(chain, keys);
        }

        @Bean
        @ConditionalOnMissingBean
        KeyEndpoint apiKeyEndpoint(
                Callers callers,
                OwnApiKeys keys,
                ApiKeysProperties properties,
                Environment service,
                ObjectProvider<OutageLog> outages) {
            return new KeyEndpoint(
                    callers,
                    keys,
                    properties.mostDays(),
                    service.getProperty("latchkey.tenant-header", ""),
                    outages.getIfAvailable(() -> OutageLog.ofStores(InstantSource.system())));
        }
    }
}
