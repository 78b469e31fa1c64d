package dev.latchkey.auth.spring.operations;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.spring.password.StoreRefusals;
import dev.latchkey.auth.spring.plugin.LatchkeyAutoConfiguration;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;

/** The actuator endpoints of Latchkey. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
final class EndpointConfiguration {

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnAvailableEndpoint
    LatchkeyEndpoint latchkeyEndpoint(ListableBeanFactory beans) {
        return new LatchkeyEndpoint(beans);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnAvailableEndpoint
    LimitsEndpoint latchkeyLimitsEndpoint(ListableBeanFactory beans, ApplicationEventPublisher events) {
        return new LimitsEndpoint(new Operator(beans, events));
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBean(LimitsEndpoint.class)
    @ConditionalOnAvailableEndpoint(LimitsEndpoint.class)
    LimitsEndpoint.Web latchkeyLimitsWebEndpoint(LimitsEndpoint endpoint) {
        return new LimitsEndpoint.Web(endpoint);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnAvailableEndpoint
    KeysEndpoint latchkeyKeysEndpoint(ListableBeanFactory beans, ApplicationEventPublisher events) {
        return new KeysEndpoint(new Operator(beans, events));
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnAvailableEndpoint
    CachesEndpoint latchkeyCachesEndpoint(ListableBeanFactory beans, ApplicationEventPublisher events) {
        return new CachesEndpoint(new Operator(beans, events));
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnAvailableEndpoint
    LoginsEndpoint latchkeyLoginsEndpoint(ListableBeanFactory beans, ApplicationEventPublisher events) {
        return new LoginsEndpoint(new Operator(beans, events));
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnAvailableEndpoint
    EndLoginsEndpoint latchkeyEndLoginsEndpoint(
            ListableBeanFactory beans,
            ApplicationEventPublisher events,
            @Qualifier(LatchkeyAutoConfiguration.CLOCK) InstantSource clock) {
        return new EndLoginsEndpoint(new Operator(beans, events), clock);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnAvailableEndpoint
    UnlockEndpoint latchkeyUnlockEndpoint(ListableBeanFactory beans, ApplicationEventPublisher events) {
        return new UnlockEndpoint(new Operator(beans, events));
    }

    /** The stored hashes of an account in all stores of the service. */
    static List<String> hashesOf(Operator operator, String account) {
        return hashesIn(accountsOf(operator, account));
    }

    static List<String> hashesIn(List<StoredHash> accounts) {
        return accounts.stream().map(StoredHash::hash).filter(Objects::nonNull).toList();
    }

    /** The account as all stores of the service know it. */
    static List<StoredHash> accountsOf(Operator operator, String account) {
        return operator.all(StoredHashes.class).stream()
                .flatMap(stored -> stored.of(account).stream())
                .toList();
    }

    /**
     * An account of a store.
     *
     * @param name in the store's spelling
     * @param hash null for an account without a password
     */
    record StoredHash(String name, @Nullable String hash) {

        /** A record would print the hash. */
        @Override
        public String toString() {
            return name;
        }
    }

    /** Finds the stored password hashes of an account, for changes that concern one account. */
    @FunctionalInterface
    interface StoredHashes {

        /** The account's stored hash now in each store; empty for an unknown account. */
        List<StoredHash> of(String account);
    }

    /** Reads the service's user stores. Separate, since a service may have the actuator without Spring Security. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(UserDetailsService.class)
    static final class Accounts {

        /** The longest wait for a reactive store. */
        private static final Duration LONGEST = Duration.ofSeconds(5);

        @Bean
        @ConditionalOnMissingBean(name = "latchkeyStoredHashes")
        StoredHashes latchkeyStoredHashes(
                ObjectProvider<UserDetailsService> stores, ObjectProvider<ReactiveUserDetailsService> reactive) {
            return account -> Stream.concat(
                            stores.stream().flatMap(store -> accountIn(store, account)),
                            reactive.stream().flatMap(store -> accountInReactive(store, account)))
                    .toList();
        }

        private static Stream<StoredHash> accountIn(UserDetailsService store, String account) {
            try {
                return Stream.of(stored(store.loadUserByUsername(account)));
            } catch (UsernameNotFoundException e) {
                return Stream.empty();
            } catch (RuntimeException e) {
                throw failed(e);
            }
        }

        /** Boot runs changes of a WebFlux service on threads for blocking work. */
        private static Stream<StoredHash> accountInReactive(ReactiveUserDetailsService store, String account) {
            try {
                UserDetails user = store.findByUsername(account).block(LONGEST);
                return user == null ? Stream.empty() : Stream.of(stored(user));
            } catch (UsernameNotFoundException e) {
                return Stream.empty();
            } catch (RuntimeException e) {
                throw failed(e);
            }
        }

        private static RuntimeException failed(RuntimeException e) {
            return StoreRefusals.isRejection(e) ? e : AuthUnavailableException.outage("The user store failed", e);
        }

        private static StoredHash stored(UserDetails user) {
            return new StoredHash(user.getUsername(), user.getPassword());
        }
    }
}
