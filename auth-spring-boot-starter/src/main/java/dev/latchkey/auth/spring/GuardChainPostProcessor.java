package dev.latchkey.auth.spring;

import jakarta.servlet.Filter;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.AuthenticationFilter;
import org.springframework.security.web.authentication.UsernamePasswordAuthenticationFilter;
import org.springframework.security.web.authentication.www.BasicAuthenticationFilter;
import org.springframework.security.web.header.HeaderWriterFilter;

/**
 * Puts the guard into every filter chain, Boot's and the service's own: before all its filters, and around those that take
 * passwords. A chain that has none of those guards the logins of the controllers behind it.
 */
final class GuardChainPostProcessor implements BeanPostProcessor {

    private static final Logger LOG = LoggerFactory.getLogger(GuardChainPostProcessor.class);

    private static final List<Class<? extends Filter>> LOGINS = List.of(
            BasicAuthenticationFilter.class,
            UsernamePasswordAuthenticationFilter.class,
            AuthenticationFilter.class,
            PluginAuthenticationFilter.class,
            TokenEndpointFilter.class);

    private final Supplier<GuardRequestFilter> first;
    private final Supplier<AsyncReadiness> readiness;

    GuardChainPostProcessor(Supplier<GuardRequestFilter> first, Supplier<AsyncReadiness> readiness) {
        this.first = first;
        this.readiness = readiness;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof SecurityFilterChain chain && !chain.getFilters().isEmpty()) {
            try {
                List<String> logins = guard(chain.getFilters());
                if (!logins.isEmpty()) {
                    LOG.info("Logins of filter chain '{}' pass the guard: {}", beanName, logins);
                }
            } catch (UnsupportedOperationException e) {
                LOG.warn(
                        "The filters of '{}' cannot be changed, so its logins hash on their request threads, without limits",
                        beanName);
            }
        }
        return bean;
    }

    /** The names of the filters that are guarded now. */
    private List<String> guard(List<Filter> filters) {
        HeaderWriterFilter headers = headersIn(filters);
        List<String> logins = filters.stream()
                .filter(GuardChainPostProcessor::isLogin)
                .map(filter -> filter.getClass().getSimpleName())
                .distinct()
                .toList();
        filters.replaceAll(filter -> isLogin(filter) ? new GuardedFilter(filter, headers, readiness.get()) : filter);
        filters.add(0, first.get());
        return logins;
    }

    private static boolean isLogin(Filter filter) {
        return LOGINS.stream().anyMatch(type -> type.isInstance(filter));
    }

    private static @Nullable HeaderWriterFilter headersIn(List<Filter> filters) {
        return (HeaderWriterFilter) filters.stream()
                .filter(HeaderWriterFilter.class::isInstance)
                .findFirst()
                .orElse(null);
    }
}
