package dev.latchkey.nacos;

import com.alibaba.nacos.auth.config.NacosAuthConfigHolder;
import com.alibaba.nacos.plugin.auth.impl.roles.NacosRoleService;
import com.alibaba.nacos.plugin.auth.impl.users.NacosUserService;
import com.alibaba.nacos.sys.env.EnvUtil;
import com.alibaba.nacos.sys.utils.PropertiesUtil;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.HeldRefusals;
import dev.latchkey.auth.jwt.RotatingKeys;
import dev.latchkey.nacos.settings.NacosSettings;
import dev.latchkey.nacos.settings.ServerProperties;
import dev.latchkey.nacos.settings.SettingsFailureAnalyzer;
import dev.latchkey.nacos.settings.SettingsReader;
import jakarta.servlet.Filter;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
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
 * The beans of this plugin, active if the type of the auth plugin is {@value LatchkeyAuthPluginService#NAME}.
 *
 * <p>The server has three contexts. The first context creates the beans, and the other contexts use the beans. The
 * server's security filter chain is active only in the first context, and the server's filters are active in the other
 * contexts.
 */
@AutoConfiguration
@Conditional(OnLatchkey.class)
public final class LatchkeyNacosAutoConfiguration {

    /** After the filter that decodes parameters, before all other filters of the server. */
    private static final int FIRST = Ordered.HIGHEST_PRECEDENCE + 10;

    /** After the server's filters for old paths (5) and for permissions (6). */
    private static final int LATER = 10;

    private static final int USUAL_THREADS = 200;

    /** With the default plugin, about as many logins can wait: on all of the server's threads. */
    private static final int MOST_WAITING = 256;

    /** Connections are more valuable than the delay: the server's container has 8,192 connections. */
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
        return Passwords.with(users, new BCryptPasswordEncoder(), settings, MOST_WAITING, time);
    }

    @Bean
    LoginThreads latchkeyNacosLoginThreads(Passwords passwords, HeldRefusals held) {
        return new LoginThreads(MOST_WAITING, passwords::beginsAtOnce, held);
    }

    @Bean
    AuthChain latchkeyNacosChain(NacosSettings settings, Passwords passwords) {
        return Sources.chain(settings.sources(), passwords, threads());
    }

    @Bean(destroyMethod = "shutdownNow")
    ThreadPoolExecutor latchkeyNacosAccountQuestions() {
        return AccountQuestions.executor();
    }

    @Bean
    AccessTokens latchkeyNacosTokens(
            StoredUsers users,
            AuthChain chain,
            ThreadPoolExecutor latchkeyNacosAccountQuestions,
            RotatingKeys keys,
            NacosSettings settings) {
        InstantSource clock = InstantSource.system();
        Standings standings = new Standings(
                chain, settings.sources().rules(), latchkeyNacosAccountQuestions, Ticker.systemTicker(), clock);
        return new AccessTokens(users, chain, standings, keys, settings, clock);
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
    NacosLogins latchkeyNacosLogins(
            AuthChain chain, AccessTokens tokens, NacosRoleService roles, NacosSettings settings, Passwords passwords) {
        RequestThreads onRequestThread =
                new RequestThreads(Math.max(1, threads() / 4), passwords::beginsAtOnce, passwords::isFromKnownClient);
        OtherTokens others = new OtherTokens(chain, tokens.revoked(), InstantSource.system());
        return new NacosLogins(chain, tokens, others, roles, settings.sources().rules(), onRequestThread);
    }

    private static int threads() {
        return EnvUtil.getProperty("server.tomcat.threads.max", Integer.class, USUAL_THREADS);
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
        return new LoginRush(atOnce, passwords::waiting, passwords::isFromKnownClient, time::nanoTime);
    }

    @Bean
    FilterRegistrationBean<Filter> latchkeyCallFilter(NacosSettings settings, HeldRefusals held, LoginRush rush) {
        return registered(new CallFilter(settings.proxies(), held, rush), "latchkeyCallFilter", FIRST);
    }

    @Bean
    FilterRegistrationBean<Filter> latchkeyLoginFilter(
            NacosLogins logins, LoginThreads threads, NacosUserService users, NacosRoleService roles) {
        return registered(new LoginFilter(logins, threads, new FirstAdmin(users, roles)), "latchkeyLoginFilter", LATER);
    }

    /**
     * Passes requests to the server's own filters, as the server's own chain does for its own auth types. For other
     * types, the server's chain would require a CSRF token, and no client has such a token. The matcher is not
     * {@code anyRequest()}: otherwise Spring Security would reject the server's chain after this chain.
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
     * For other auth types, the server's oldest login controller asks Spring Security's manager, without any limit.
     * This configuration leaves the manager without a provider that accepts logins.
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
        Set<String> names = new TreeSet<>();
        for (String prefix : List.of(ServerProperties.OWN, ServerProperties.OWN_SINCE_3_2)) {
            @Nullable Properties own = PropertiesUtil.getPropertiesWithPrefix(EnvUtil.getEnvironment(), prefix);
            names.addAll(own == null ? Set.of() : own.stringPropertyNames());
        }
        return SettingsReader.read(new ServerProperties(EnvUtil::getProperty, names));
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
