package dev.latchkey.plugins.codes.spring;

import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.Callers;
import dev.latchkey.auth.engine.OutageLog;
import dev.latchkey.auth.factory.PluginConfigException;
import dev.latchkey.plugins.codes.CodeStore;
import dev.latchkey.plugins.codes.JdbcCodeStore;
import dev.latchkey.plugins.codes.OneTimeCodes;
import dev.latchkey.plugins.codes.OneTimeCodesPlugin;
import dev.latchkey.plugins.codes.OwnCodes;
import dev.latchkey.plugins.codes.RememberedDevices;
import dev.latchkey.plugins.codes.SecretKeys;
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

/** One-time codes for enrolled accounts, stored in the service's database. */
@AutoConfiguration
@ConditionalOnProperty(
        name = {"latchkey.enabled", OneTimeCodesProperties.PREFIX + ".enabled"},
        matchIfMissing = true)
@EnableConfigurationProperties(OneTimeCodesProperties.class)
public final class OneTimeCodesAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    OneTimeCodesPlugin oneTimeCodesPlugin(
            OneTimeCodes codes,
            ObjectProvider<RememberedDevices> devices,
            OneTimeCodesProperties properties,
            Environment service) {
        properties.requireLimits(service);
        OneTimeCodesPlugin plugin = new OneTimeCodesPlugin(codes);
        RememberedDevices remembered = devices.getIfAvailable();
        return remembered == null ? plugin : plugin.rememberingDevices(remembered);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnProperty(OneTimeCodesProperties.PREFIX + ".remember-devices")
    RememberedDevices oneTimeCodesDevices(OneTimeCodesProperties properties, OneTimeCodes codes) {
        try {
            return RememberedDevices.of(codes, properties.rememberDevicesFor());
        } catch (IllegalArgumentException e) {
            throw new PluginConfigException(OneTimeCodesProperties.PREFIX + ".remember-devices-for: " + e.getMessage());
        }
    }

    @Bean
    @ConditionalOnMissingBean
    OneTimeCodes oneTimeCodes(
            OneTimeCodesProperties properties,
            SecretKeys keys,
            ObjectProvider<CodeStore> stores,
            @Qualifier("latchkeyClock") ObjectProvider<InstantSource> clock,
            Environment service) {
        CodeStore store = stores.getIfAvailable();
        if (store == null) {
            throw new PluginConfigException(
                    "One-time codes need spring-jdbc on the class path, or a bean of type CodeStore");
        }
        String issuer = properties.issuerOr(service.getProperty("spring.application.name", ""));
        try {
            return OneTimeCodes.of(store, keys, issuer)
                    .withAlgorithm(properties.algorithm())
                    .withClock(clock.getIfAvailable(InstantSource::system));
        } catch (IllegalArgumentException e) {
            throw new PluginConfigException(OneTimeCodesProperties.PREFIX + ".issuer: " + e.getMessage());
        }
    }

    @Bean
    @ConditionalOnMissingBean
    SecretKeys oneTimeCodesKeys(OneTimeCodesProperties properties) {
        return properties.keys();
    }

    /** A chain without the plugin would silently accept logins without a code. */
    @Bean
    @ConditionalOnMissingBean
    OwnCodes ownCodes(AuthChain chain, OneTimeCodes codes) {
        if (!chain.pluginNames().contains(OneTimeCodesPlugin.NAME)) {
            throw new PluginConfigException("latchkey.plugins does not name " + OneTimeCodesPlugin.NAME
                    + ", so no login would need a code. Add the name, or set " + OneTimeCodesProperties.PREFIX
                    + ".enabled=false");
        }
        return new OwnCodes(chain, codes);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(JdbcClient.class)
    @ConditionalOnMissingBean(CodeStore.class)
    static final class StoreConfiguration {

        @Bean
        @ConditionalOnMissingBean
        JdbcCodeStore oneTimeCodeStore(ObjectProvider<DataSource> dataSources) {
            DataSource dataSource = dataSources.getIfUnique();
            if (dataSource == null) {
                throw new PluginConfigException(
                        "One-time codes need one DataSource, or a bean of type CodeStore; there is no"
                                + " DataSource, or there are several and none is primary."
                                + " Spring Boot makes no DataSource beside an R2DBC ConnectionFactory");
            }
            return new JdbcCodeStore(dataSource);
        }

        /** After all beans, and so after the migrations of Flyway, of Liquibase and of Spring. */
        @Bean
        @ConditionalOnMissingBean(name = "oneTimeCodeTable")
        @DependsOnDatabaseInitialization
        SmartInitializingSingleton oneTimeCodeTable(ObjectProvider<JdbcCodeStore> store) {
            return () -> store.ifUnique(JdbcCodeStore::requireTables);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(DispatcherServlet.class)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnProperty(OneTimeCodesProperties.PREFIX + ".endpoints-enabled")
    static final class EndpointConfiguration {

        @Bean
        @ConditionalOnMissingBean
        CodesController oneTimeCodesController(
                Callers callers,
                OwnCodes codes,
                ObjectProvider<RememberedDevices> devices,
                Environment service,
                ObjectProvider<OutageLog> outages) {
            return new CodesController(new CodesEndpoint(callers, codes, devices.getIfAvailable(), service, outages));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({DispatcherHandler.class, Mono.class})
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    @ConditionalOnProperty(OneTimeCodesProperties.PREFIX + ".endpoints-enabled")
    static final class ReactiveEndpointConfiguration {

        @Bean
        @ConditionalOnMissingBean
        ReactiveCodesController reactiveOneTimeCodesController(
                Callers callers,
                OwnCodes codes,
                ObjectProvider<RememberedDevices> devices,
                Environment service,
                ObjectProvider<OutageLog> outages) {
            return new ReactiveCodesController(
                    new CodesEndpoint(callers, codes, devices.getIfAvailable(), service, outages));
        }
    }
}
