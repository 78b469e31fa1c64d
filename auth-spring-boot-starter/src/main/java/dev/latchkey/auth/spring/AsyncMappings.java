package dev.latchkey.auth.spring;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.web.servlet.AbstractFilterRegistrationBean;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.filter.OncePerRequestFilter;

/** Which filters of the service asynchronous dispatches pass. The servlet API does not tell, so Boot's registrations are read. */
final class AsyncMappings {

    private static final String SECURITY = "springSecurityFilterChain";

    /** The container's own, which only takes upgrades to WebSocket. */
    private static final String TOMCAT_WEBSOCKET = "org.apache.tomcat.websocket.";

    private final ListableBeanFactory beans;
    private final Supplier<ServletContext> context;
    private final SingletonSupplier<Boolean> reachSecurity = SingletonSupplier.of(this::findSecurity);
    private final SingletonSupplier<Optional<String>> unreached = SingletonSupplier.of(this::findUnreached);

    AsyncMappings(ListableBeanFactory beans, Supplier<ServletContext> context) {
        this.beans = beans;
        this.context = context;
    }

    /** Whether asynchronous dispatches are certain to pass the filter chains; if not, one would come to the service unchecked. */
    boolean reachSecurity() {
        return reachSecurity.obtain();
    }

    /** A filter that asynchronous dispatches do not pass, or that nobody knows about. */
    Optional<String> unreached() {
        return unreached.obtain();
    }

    private boolean findSecurity() {
        return registrations().stream()
                .anyMatch(bean -> bean.getFilterName().equals(SECURITY) && bean.isEnabled() && isReached(bean));
    }

    private Optional<String> findUnreached() {
        Set<String> names = new HashSet<>(Set.of(SECURITY));
        Set<Filter> registered = new HashSet<>();
        for (AbstractFilterRegistrationBean<?> bean : registrations()) {
            if (bean.isEnabled() && !isReached(bean)) {
                return Optional.of("filter " + bean.getFilterName());
            }
            names.add(bean.getFilterName());
            registered.add(bean.getFilter());
        }
        for (var bean : beans.getBeansOfType(Filter.class, false, false).entrySet()) {
            boolean standsAlone = !bean.getKey().equals(SECURITY) && !registered.contains(bean.getValue());
            if (standsAlone && !(bean.getValue() instanceof OncePerRequestFilter)) {
                return Optional.of("filter " + bean.getKey());
            }
            names.add(bean.getKey());
        }
        return context.get().getFilterRegistrations().values().stream()
                .filter(filter -> !names.contains(filter.getName()) && !isOfTheContainer(filter))
                .map(filter -> "filter " + filter.getName())
                .findFirst();
    }

    private static boolean isOfTheContainer(FilterRegistration filter) {
        return filter.getClassName() != null && filter.getClassName().startsWith(TOMCAT_WEBSOCKET);
    }

    private static boolean isReached(AbstractFilterRegistrationBean<?> bean) {
        return bean.determineDispatcherTypes().contains(DispatcherType.ASYNC);
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // a class object has no type arguments
    private Collection<AbstractFilterRegistrationBean<?>> registrations() {
        return (Collection) beans.getBeansOfType(AbstractFilterRegistrationBean.class, false, false)
                .values();
    }
}
