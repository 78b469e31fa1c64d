package dev.latchkey.auth.spring.limits;

import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.spring.http.ReactiveSource;
import dev.latchkey.auth.spring.http.ReactiveWork;
import dev.latchkey.auth.spring.password.ComparedPassword;
import dev.latchkey.auth.spring.password.ComparedPassword.Unseen;
import dev.latchkey.auth.spring.plugin.ReactiveLatchkeyPasswords;
import dev.latchkey.auth.spring.settings.BeanTypes;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.authentication.UserDetailsRepositoryReactiveAuthenticationManager;
import org.springframework.security.config.ObjectPostProcessor;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.server.SecurityWebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Adds the login limits and the check for a second step to each reactive manager. Without a manager bean, Spring Security makes a
 * manager from the service's beans, and {@link ReactiveServiceAccounts} replaces this manager.
 *
 * <p>Spring Security's own manager is not a bean. Spring Security passes the manager to a post-processor of managers: a bean with
 * a fixed name, for observations. Spring Security calls no post-processor of another name, so this class runs before the named
 * bean. RSocket has such a bean of its own. A manager bean of the service decides as before.
 *
 * @param logins the replacement, made from the same beans as Spring Security's own manager
 */
record ReactiveLoginPostProcessor(
        ConfigurableListableBeanFactory beans, Supplier<ReactiveServiceAccounts> logins, MissingSteps steps)
        implements BeanPostProcessor {

    /** The name of Spring Security's post-processor of managers. */
    static final String OF_SPRING = "reactiveAuthenticationManagerPostProcessor";

    private static final String OF_RSOCKET = "rSocketAuthenticationManagerPostProcessor";

    private static final Logger LOG = LoggerFactory.getLogger(ReactiveLoginPostProcessor.class);

    @Override
    @SuppressWarnings("unchecked") // The bean of this name processes managers.
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof ObjectPostProcessor<?> next
                && (beanName.equals(OF_SPRING) || beanName.equals(OF_RSOCKET))) {
            return before((ObjectPostProcessor<ReactiveAuthenticationManager>) next);
        }
        if (bean instanceof SecurityWebFilterChain chain) {
            new ReactiveManagersOfFilters(this::decorated).decorate(chain, beanName);
        }
        if (bean instanceof AuthenticationManager) {
            LOG.warn(
                    "Login limits and second steps hold for '{}' only behind a ReactiveAuthenticationManagerAdapter",
                    beanName);
        }
        if (!(bean instanceof ReactiveAuthenticationManager manager)) {
            return bean;
        }
        ReactiveAuthenticationManager decorated =
                BeanTypes.isDeclaredAsInterface(beans, beanName) ? decorated(manager) : decoratedSubclass(manager);
        if (decorated == null) {
            LOG.warn(
                    "Login limits and second steps do not hold for '{}': declare the bean as ReactiveAuthenticationManager instead of {}",
                    beanName,
                    manager.getClass().getName());
            return bean;
        }
        return decorated;
    }

    /** Replaces Spring Security's own manager, and passes the replacement to the next post-processor. */
    ObjectPostProcessor<ReactiveAuthenticationManager> before(ObjectPostProcessor<ReactiveAuthenticationManager> next) {
        return new ObjectPostProcessor<>() {
            @Override
            @SuppressWarnings("unchecked") // As in Spring Security: callers use only the interface of the manager.
            public <O extends ReactiveAuthenticationManager> O postProcess(O manager) {
                ReactiveAuthenticationManager own = next.postProcess(around(inPlaceOf(manager)));
                return (O) (isDecorated(own) ? own : new Decorated(own));
            }
        };
    }

    /** A decorated manager inside of observations. A second decoration would also limit the parallel logins. */
    private record Decorated(ReactiveAuthenticationManager manager) implements ReactiveAuthenticationManager {

        @Override
        public Mono<Authentication> authenticate(Authentication login) {
            return manager.authenticate(login);
        }
    }

    private ReactiveAuthenticationManager inPlaceOf(ReactiveAuthenticationManager manager) {
        if (manager.getClass() != UserDetailsRepositoryReactiveAuthenticationManager.class) {
            return manager;
        }
        // The plugins replace the logins if a plugin checks passwords besides these accounts.
        ReactiveLatchkeyPasswords asked =
                beans.getBeanProvider(ReactiveLatchkeyPasswords.class).getIfAvailable();
        if (asked != null && asked.replacesSpringsManager()) {
            LOG.info("WebFlux logins ask the auth plugins {} as well", asked.askedBesideUsers());
            return asked.manager();
        }
        if (asked != null && !asked.sourcesBesideUsers().isEmpty()) {
            LOG.info(
                    "WebFlux logins ask the service's accounts and not the auth plugins {}, since latchkey.plugins does not name"
                            + " users, or latchkey.authentication-manager.enabled is false",
                    asked.sourcesBesideUsers());
        }
        ReactiveServiceAccounts login = logins.get();
        LOG.info("WebFlux logins are {}", login.isCached() ? "behind the credential cache" : "not cached");
        return login;
    }

    private static boolean isDecorated(ReactiveAuthenticationManager manager) {
        return manager instanceof ReactiveLimitedPasswords
                || manager instanceof ReactiveCompletePasswords
                || manager instanceof Decorated
                || ManagerSubclass.isMade(manager);
    }

    /** For Spring Security's manager or its replacement, with a limit of its own on parallel logins. */
    private ReactiveAuthenticationManager around(ReactiveAuthenticationManager manager) {
        return isDecorated(manager) ? manager : around(manager, Integer.MAX_VALUE);
    }

    /** The limits are outside of the steps, because the limits must know about a right but insufficient password. */
    private ReactiveAuthenticationManager around(ReactiveAuthenticationManager manager, int atOnce) {
        ReactiveAuthenticationManager complete = new ReactiveCompletePasswords(
                notingOutages(manager), steps, beans.getBeanProvider(ReactiveWork.class)::getObject);
        LoginLimits available = beans.getBeanProvider(LoginLimits.class).getIfAvailable();
        Unseen unseen = manager instanceof ComparedPassword.Noting ? Unseen.NONE : Unseen.FIRST;
        return available == null ? complete : new ReactiveLimitedPasswords(complete, available, atOnce, unseen);
    }

    /** Spring Security's own manager rejects by an {@link AuthenticationException}. Any other exception is of the accounts. */
    private static ReactiveAuthenticationManager notingOutages(ReactiveAuthenticationManager manager) {
        return manager.getClass() != UserDetailsRepositoryReactiveAuthenticationManager.class
                ? manager
                : given -> Mono.deferContextual(context -> manager.authenticate(given)
                        .doOnError(
                                failure -> !(failure instanceof AuthenticationException),
                                outage -> ComparedPassword.beforeAComparison(ReactiveSource.in(context), true)));
    }

    private ReactiveAuthenticationManager decorated(ReactiveAuthenticationManager manager) {
        if (isDecorated(manager)) {
            return manager;
        }
        WaitingThreads threads = beans.getBeanProvider(WaitingThreads.class).getIfAvailable();
        return around(manager, threads == null ? Integer.MAX_VALUE : threads.most());
    }

    /** For a bean that may be injected by its class. Null if the class can have no subclass. */
    private @Nullable ReactiveAuthenticationManager decoratedSubclass(ReactiveAuthenticationManager manager) {
        if (isDecorated(manager)) {
            return manager;
        }
        return ManagerSubclass.isPossible(manager.getClass())
                ? (ReactiveAuthenticationManager) ManagerSubclass.of(manager, decorated(manager)::authenticate)
                : null;
    }
}
