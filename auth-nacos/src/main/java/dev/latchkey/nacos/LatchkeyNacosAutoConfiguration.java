package dev.latchkey.nacos;

import com.alibaba.nacos.auth.config.NacosAuthConfigHolder;
import com.alibaba.nacos.plugin.auth.impl.roles.NacosRoleService;
import com.alibaba.nacos.plugin.auth.impl.users.NacosUserService;
import com.alibaba.nacos.sys.env.EnvUtil;
import com.alibaba.nacos.sys.utils.PropertiesUtil;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.HeldRefusals;
import dev.latchkey.auth.jwt.RotatingKeys;
import dev.latchkey.nacos.settings.NacosSettings;
import dev.latchkey.nacos.settings.SettingsFailureAnalyzer;
import dev.latchkey.nacos.settings.SettingsReader;
import jakarta.servlet.Filter;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.config.annotation.authentication.builders.AuthenticationManagerBuilder;
import org.springframework.security.config.annotation.authentication.configuration.GlobalAuthenticationConfigurerAdapter;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.core.Authentication;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.web.SecurityFilterChain;

/**
 * The beans of this plugin, active if {@code nacos.core.auth.system.type} is {@value LatchkeyAuthPluginService#NAME}.
 *
 * <p>The server has three contexts. The first creates the beans, and the others use them. The server's security filter
 * chain is active only in the first context, and its filters in the others.
 */
@AutoConfiguration
@ConditionalOnProperty(name = "nacos.core.auth.system.type", havingValue = LatchkeyAuthPluginService.NAME)
public final class LatchkeyNacosAutoConfiguration {

    /** After the filter that decodes parameters, before all other filters of the server. */
    private static final int FIRST = Ordered.HIGHEST_PRECEDENCE + 10;

    /** After the server's filters for old paths (5) and for permissions (6). */
    private static final int LATER = 10;

    private static final int USUAL_THREADS = 200;

    /** Connections are more valuable than the delay: the server's container has 8,192. */
    private static final int MOST_HELD = 1_000;

    /** Called by Spring. */
    LatchkeyNacosAutoConfiguration() {}

    @Bean(SettingsFailureAnalyzer.BEAN)
    NacosSettings latchkeyNacosSettings() {
        NacosSettings settings = settings();
        OpenScopes.warnOf(NacosAuthConfigHolder.getInstance().getAllNacosAuthConfig());
        return settings;
    }

    @Bean
    RotatingKeys latchkeyNacosKeys(NacosSettings settings) {
        return RotatingKeys.startingWith(settings.keyRing(Instant.now()));
    }

    @Bean
    StoredUsers latchkeyNacosUsers(NacosUserService users) {
        return new StoredUsers(users);
    }

    @Bean
    GuardTime latchkeyNacosTime() {
        return GuardTime.start();
    }

    @Bean
    HeldRefusals latchkeyNacosHeldRefusals(NacosSettings settings, GuardTime time) {
        return new HeldRefusals(settings.refusalDelay(), MOST_HELD, time);
    }

    @Bean
    Passwords latchkeyNacosPasswords(StoredUsers users, NacosSettings settings, GuardTime time) {
        int threads = EnvUtil.getProperty("server.tomcat.threads.max", Integer.class, USUAL_THREADS);
        return Passwords.with(users, new BCryptPasswordEncoder(), settings, Math.max(1, threads / 4), time);
    }

    @Bean
    AccessTokens latchkeyNacosTokens(StoredUsers users, RotatingKeys keys, NacosSettings settings) {
        return new AccessTokens(users, keys, settings, InstantSource.system());
    }

    @Bean
    SettingsWatch latchkeyNacosSettingsWatch(RotatingKeys keys, AccessTokens tokens, NacosSettings settings) {
        return new SettingsWatch(
                        LatchkeyNacosAutoConfiguration::settings,
                        keys,
                        tokens,
                        settings.lifetime(),
                        InstantSource.system())
                .start();
    }

    @Bean
    NacosLogins latchkeyNacosLogins(Passwords passwords, AccessTokens tokens, NacosRoleService roles) {
        return new NacosLogins(passwords, tokens, roles);
    }

    @Bean
    LatchkeyAuthenticationManager latchkeyAuthenticationManager(NacosLogins logins, NacosRoleService roles) {
        return new LatchkeyAuthenticationManager(logins, roles);
    }

    @Bean
    RequestDecisions latchkeyRequestDecisions(
            NacosLogins logins, LatchkeyAuthenticationManager manager, NacosSettings settings) {
        return new RequestDecisions(logins, manager, settings.proxies());
    }

    @Bean
    LoginRush latchkeyNacosLoginRush(Passwords passwords, NacosSettings settings, GuardTime time) {
        int atOnce = settings.hashing().atOnce() + Runtime.getRuntime().availableProcessors();
        return new LoginRush(atOnce, passwords::waiting, passwords::isFromKnownPlace, time::nanoTime);
    }

    @Bean
    FilterRegistrationBean<Filter> latchkeyCallFilter(NacosSettings settings, HeldRefusals held, LoginRush rush) {
        return registered(new CallFilter(settings.proxies(), held, rush), "latchkeyCallFilter", FIRST);
    }

    @Bean
    FilterRegistrationBean<Filter> latchkeyLoginFilter(
            NacosLogins logins, NacosUserService users, NacosRoleService roles) {
        return registered(new LoginFilter(logins, new FirstAdmin(users, roles)), "latchkeyLoginFilter", LATER);
    }

    /**
     * Passes requests to the server's own filters, like the server's own chain for its own types. For other types the
     * server's chain would require a CSRF token, which no client has. The matcher is not "any request": otherwise
     * Spring Security would reject the server's chain after this one.
     */
    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    SecurityFilterChain latchkeySecurityFilterChain(HttpSecurity http) throws Exception {
        http.securityMatcher(request -> true);
        http.authorizeHttpRequests(all -> all.anyRequest().permitAll());
        http.csrf(AbstractHttpConfigurer::disable);
        return http.build();
    }

    /**
     * For other types, the server's oldest login controller asks Spring Security's manager, without any limit. This
     * configuration leaves the manager without a provider that accepts logins.
     */
    @Bean
    GlobalAuthenticationConfigurerAdapter latchkeyNoOtherLogin() {
        return new GlobalAuthenticationConfigurerAdapter() {
            @Override
            public void init(AuthenticationManagerBuilder manager) {
                manager.authenticationProvider(new NoLogin());
            }
        };
    }

    private static NacosSettings settings() {
        @Nullable
        Properties own = PropertiesUtil.getPropertiesWithPrefix(EnvUtil.getEnvironment(), SettingsReader.PREFIX);
        return SettingsReader.read(EnvUtil::getProperty, own == null ? Set.of() : own.stringPropertyNames());
    }

    private static FilterRegistrationBean<Filter> registered(Filter filter, String name, int order) {
        FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(filter);
        registration.setName(name);
        registration.setOrder(order);
        registration.addUrlPatterns("/*");
        return registration;
    }

    private static final class NoLogin implements AuthenticationProvider {

        @Override
        public Authentication authenticate(Authentication authentication) {
            throw new BadCredentialsException("Logins are answered elsewhere");
        }

        @Override
        public boolean supports(Class<?> authentication) {
            return true;
        }
    }
}
