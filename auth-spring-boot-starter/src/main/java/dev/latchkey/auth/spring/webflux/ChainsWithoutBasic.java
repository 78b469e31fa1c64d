package dev.latchkey.auth.spring.webflux;

import java.util.List;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.authentication.AuthenticationWebFilter;
import org.springframework.web.server.WebFilter;

/**
 * Finds the chains without a login of Spring Security. Without an entry point, Spring Security asks for HTTP Basic in each chain:
 * browsers would then show a password dialog whose passwords nobody reads. {@link LatchkeyWebFlux#addTo} cannot see the logins,
 * because a service may add them later.
 */
final class ChainsWithoutBasic implements BeanPostProcessor {

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof SecurityWebFilterChain chain) {
            chain.getWebFilters().collectList().subscribe(ChainsWithoutBasic::look);
        }
        return bean;
    }

    private static void look(List<WebFilter> filters) {
        if (filters.stream().noneMatch(AuthenticationWebFilter.class::isInstance)) {
            filters.stream()
                    .filter(ReactivePluginFilter.class::isInstance)
                    .forEach(filter -> ((ReactivePluginFilter) filter).leaveOutBasic());
        }
    }
}
