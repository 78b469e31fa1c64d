package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.spring.password.ReactiveUsers;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.security.authentication.password.ReactiveCompromisedPasswordChecker;
import org.springframework.security.core.userdetails.ReactiveUserDetailsPasswordService;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import reactor.core.publisher.Mono;

/**
 * A WebFlux service's own accounts as the plugin {@code users}: its {@link ReactiveUserDetailsService} and its password encoder.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({ReactiveUserDetailsService.class, Mono.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnSingleCandidate(ReactiveUserDetailsService.class)
final class ReactiveUsersConfiguration {

    @Bean
    @ConditionalOnMissingBean
    @Order(UserDetailsPlugin.ORDER)
    UserDetailsPlugin latchkeyReactiveUsersPlugin(
            ReactiveUserDetailsService users,
            ObjectProvider<ReactiveUserDetailsPasswordService> upgrades,
            LatchkeyProperties properties,
            BeanFactory beans) {
        ReactiveUserDetailsPasswordService service = upgrades.getIfUnique();
        UserDetailsPlugin plugin = new UserDetailsPlugin(
                        ReactiveUsers.of(users),
                        ServiceAccounts.encoder(beans, properties),
                        service == null ? null : ReactiveUsers.upgrades(service))
                .rejecting(ReactiveUsers.compromised(beans.getBeanProvider(ReactiveCompromisedPasswordChecker.class)
                        .getIfUnique()));
        return ServiceAccounts.upgrading(plugin, beans, properties);
    }
}
