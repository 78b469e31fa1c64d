package dev.latchkey.auth.spring.plugin;

import java.util.List;
import java.util.function.Predicate;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.security.web.authentication.rememberme.PersistentTokenRepository;
import org.springframework.util.ClassUtils;

/** The remember-me cookies of Spring Security with rows in the service's store. */
final class RememberedLogins {

    private static final boolean HAS_WEB = ClassUtils.isPresent(
            "org.springframework.security.web.authentication.rememberme.PersistentTokenRepository",
            RememberedLogins.class.getClassLoader());

    private RememberedLogins() {}

    /**
     * Ends all cookies of an account, in every {@link PersistentTokenRepository} of the service. The stores are looked up at each
     * call, because a store may need beans that need the plugins.
     *
     * @return true if the service has such a store
     */
    static Predicate<String> ending(BeanFactory beans) {
        return HAS_WEB ? username -> Rows.delete(username, beans) : username -> false;
    }

    /** A service without Spring Security's web part has no such class. */
    private static final class Rows {

        static boolean delete(String username, BeanFactory beans) {
            List<PersistentTokenRepository> stores = beans.getBeanProvider(PersistentTokenRepository.class).stream()
                    .toList();
            stores.forEach(store -> store.removeUserTokens(username));
            return !stores.isEmpty();
        }
    }
}
