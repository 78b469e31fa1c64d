package dev.latchkey.plugins.passkeys.spring;

import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.Callers;
import dev.latchkey.auth.engine.OutageLog;
import dev.latchkey.auth.factory.PluginConfigException;
import dev.latchkey.plugins.passkeys.OwnPasskeys;
import dev.latchkey.plugins.passkeys.Passkeys;
import dev.latchkey.plugins.passkeys.PasskeysPlugin;
import dev.latchkey.plugins.passkeys.store.JdbcPasskeyStore;
import dev.latchkey.plugins.passkeys.store.PasskeyStore;
import java.time.InstantSource;
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
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.servlet.DispatcherServlet;
import reactor.core.publisher.Mono;

/** Passkeys in the service's database, for every account with a registered passkey. */
@AutoConfiguration
@ConditionalOnProperty(
        name = {"latchkey.enabled", PasskeysProperties.PREFIX + ".enabled"},
        matchIfMissing = true)
@EnableConfigurationProperties(PasskeysProperties.class)
public final class PasskeysAutoConfiguration {

    /** @param chain contains the plugin, so the chain is looked up at each call */
    @Bean
    @ConditionalOnMissingBean
    PasskeysPlugin passkeysPlugin(
            Passkeys passkeys,
            ObjectProvider<AuthChain> chain,
            @Qualifier("latchkeyClock") ObjectProvider<InstantSource> clock) {
        return new PasskeysPlugin(
                        passkeys,
                        (plugin, account) -> chain.getObject().decidedLogins().account(plugin, account))
                .withClock(clock.getIfAvailable(InstantSource::system));
    }

    @Bean
    @ConditionalOnMissingBean
    Passkeys passkeys(
            PasskeysProperties properties,
            ObjectProvider<PasskeyStore> stores,
            @Qualifier("latchkeyClock") ObjectProvider<InstantSource> clock,
            Environment service) {
        PasskeyStore store = stores.getIfAvailable();
        if (store == null) {
            throw new PluginConfigException(
                    "Passkeys need spring-jdbc on the class path, or a bean of type PasskeyStore");
        }
        return Passkeys.of(
                        store, properties.service(service.getProperty("spring.application.name", "")), properties.key())
                .withClock(clock.getIfAvailable(InstantSource::system));
    }

    /** Without the plugin in the chain, every login would silently complete without the step. */
    @Bean
    @ConditionalOnMissingBean
    OwnPasskeys ownPasskeys(AuthChain chain, Passkeys passkeys) {
        if (!chain.pluginNames().contains(PasskeysPlugin.NAME)) {
            throw new PluginConfigException("latchkey.plugins does not name " + PasskeysPlugin.NAME
                    + ", so nobody would be asked for a passkey. Add it there, or set " + PasskeysProperties.PREFIX
                    + ".enabled=false");
        }
        return new OwnPasskeys(chain, passkeys);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(JdbcClient.class)
    @ConditionalOnMissingBean(PasskeyStore.class)
    static final class StoreConfiguration {

        @Bean
        @ConditionalOnMissingBean
        JdbcPasskeyStore passkeyStore(ObjectProvider<DataSource> dataSources) {
            DataSource dataSource = dataSources.getIfUnique();
            if (dataSource == null) {
                throw new PluginConfigException(
                        "Passkeys need one DataSource, or a bean of type PasskeyStore; there is no DataSource, or there are"
                                + " several and none is primary."
                                + " Spring Boot makes no DataSource beside an R2DBC ConnectionFactory");
            }
            return new JdbcPasskeyStore(dataSource);
        }

        /** After all beans, and so after the migrations of Flyway, of Liquibase and of Spring. */
        @Bean
        @ConditionalOnMissingBean(name = "passkeyTables")
        @DependsOnDatabaseInitialization
        SmartInitializingSingleton passkeyTables(ObjectProvider<JdbcPasskeyStore> store) {
            return () -> store.ifUnique(JdbcPasskeyStore::requireTables);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(DispatcherServlet.class)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnProperty(PasskeysProperties.PREFIX + ".endpoints-enabled")
    static final class EndpointConfiguration {

        @Bean
        @ConditionalOnMissingBean
        PasskeysController passkeysController(
                Callers callers,
                Passkeys passkeys,
                OwnPasskeys own,
                Environment service,
                ObjectProvider<OutageLog> outages) {
            return new PasskeysController(new PasskeysEndpoint(callers, passkeys, own, service, outages));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({DispatcherHandler.class, Mono.class})
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    @ConditionalOnProperty(PasskeysProperties.PREFIX + ".endpoints-enabled")
    static final class ReactiveEndpointConfiguration {

        @Bean
        @ConditionalOnMissingBean
        ReactivePasskeysController reactivePasskeysController(
                Callers callers,
                Passkeys passkeys,
                OwnPasskeys own,
                Environment service,
                ObjectProvider<OutageLog> outages) {
            return new ReactivePasskeysController(new PasskeysEndpoint(callers, passkeys, own, service, outages));
        }
    }
}
