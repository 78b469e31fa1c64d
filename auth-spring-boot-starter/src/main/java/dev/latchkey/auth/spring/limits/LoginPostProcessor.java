package dev.latchkey.auth.spring.limits;

import dev.latchkey.auth.guard.login.LoginLimitGate;
import dev.latchkey.auth.spring.password.ComparedPassword;
import dev.latchkey.auth.spring.password.ComparedPassword.Unseen;
import dev.latchkey.auth.spring.password.LoginEncoders;
import dev.latchkey.auth.spring.password.StoreRefusals;
import dev.latchkey.auth.spring.settings.BeanTypes;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolderStrategy;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.util.function.SingletonSupplier;

/**
 * Adds the login limits, if enabled, and the check for a second step to each authentication manager: to the managers of Spring
 * Security's builders, to the service's own managers, and to those of its filters.
 */
final class LoginPostProcessor implements BeanPostProcessor {

    private static final Logger LOG = LoggerFactory.getLogger(LoginPostProcessor.class);
    private static final String SPRING_SECURITY = "org.springframework.security.";

    private final ConfigurableListableBeanFactory beans;
    private final ObjectProvider<LoginLimitGate> logins;
    private final MissingSteps steps;
    private final ObjectProvider<SecurityContextHolderStrategy> holders;
    private final StoreRefusals refusals;

    LoginPostProcessor(
            ConfigurableListableBeanFactory beans,
            ObjectProvider<LoginLimitGate> logins,
            MissingSteps steps,
            ObjectProvider<SecurityContextHolderStrategy> holders) {
        this.beans = beans;
        this.logins = logins;
        this.steps = steps;
        this.holders = holders;
        this.refusals = new StoreRefusals(beans);
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof SecurityFilterChain chain) {
            new ManagersOfFilters(this::decorated).decorate(chain, beanName);
        }
        if (!(bean instanceof AuthenticationManager manager)) {
            return bean;
        }
        AuthenticationManager decorated =
                BeanTypes.isDeclaredAsInterface(beans, beanName) ? decorated(manager) : decoratedSubclass(manager);
        if (decorated == null) {
            LOG.warn(
                    "Login limits and second steps do not hold for '{}': declare the bean as AuthenticationManager instead of {}",
                    beanName,
                    manager.getClass().getName());
            return bean;
        }
        return decorated;
    }

    private AuthenticationManager decorated(AuthenticationManager manager) {
        if (isDecorated(manager)) {
            return manager;
        }
        return manager.getClass() == ProviderManager.class
                ? new DecoratedProviders((ProviderManager) manager, around(manager))
                : around(manager);
    }

    /** For a bean that may be injected by its class. Null if the class can have no subclass. */
    private @Nullable AuthenticationManager decoratedSubclass(AuthenticationManager manager) {
        if (isDecorated(manager) || manager.getClass() == ProviderManager.class) {
            return decorated(manager);
        }
        return ManagerSubclass.isPossible(manager.getClass())
                ? (AuthenticationManager) ManagerSubclass.of(manager, around(manager)::authenticate)
                : null;
    }

    AuthenticationManager around(AuthenticationManager manager) {
        // Once, at the first login: each request with HTTP Basic is a login.
        Supplier<Unseen> usual =
                SingletonSupplier.of(() -> unseenOf(manager, UsernamePasswordAuthenticationToken.class));
        return new PasswordLogins(
                refusals.around(manager),
                logins.getIfAvailable(),
                steps,
                () -> holders.getIfUnique(SecurityContextHolder::getContextHolderStrategy),
                request -> request.getClass() == UsernamePasswordAuthenticationToken.class
                        ? usual.get()
                        : unseenOf(manager, request.getClass()));
    }

    /**
     * The code that may compare a password without a note: a provider of the service, or the manager's own class. Spring Security's
     * other managers only pass the login on.
     */
    private static Unseen unseenOf(AuthenticationManager manager, Class<?> request) {
        Class<?> type = AopUtils.getTargetClass(manager);
        if (type != ProviderManager.class || !(manager instanceof ProviderManager providers)) {
            return type.getName().startsWith(SPRING_SECURITY) ? Unseen.NONE : Unseen.FIRST;
        }
        List<AuthenticationProvider> asked = providers.getProviders().stream()
                .filter(provider -> provider.supports(request))
                .toList();
        if (asked.stream().allMatch(LoginPostProcessor::isSeen)) {
            return Unseen.NONE;
        }
        boolean isFirst = asked.stream()
                .takeWhile(provider -> !(provider instanceof ComparedPassword.Noting))
                .anyMatch(provider -> !isSeen(provider));
        return isFirst ? Unseen.FIRST : Unseen.LATER;
    }

    private static boolean isSeen(AuthenticationProvider provider) {
        return provider instanceof ComparedPassword.Noting || LoginEncoders.areAskedBy(provider);
    }

    static boolean isDecorated(AuthenticationManager manager) {
        return manager instanceof PasswordLogins
                || manager instanceof DecoratedProviders
                || ManagerSubclass.isMade(manager);
    }
}
