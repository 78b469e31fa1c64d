package dev.latchkey.auth.spring.webflux;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Warns if the login endpoints are enabled without a filter chain: requests to the endpoints would get 401 or 404 without a
 * reason.
 */
final class LoginWithoutAChain implements SmartInitializingSingleton {

    private static final Logger LOG = LoggerFactory.getLogger(LoginWithoutAChain.class);

    private final LatchkeyWebFlux latchkey;

    LoginWithoutAChain(LatchkeyWebFlux latchkey) {
        this.latchkey = latchkey;
    }

    @Override
    public void afterSingletonsInstantiated() {
        // All chains exist now. Boot's default chain is not a bean, and Spring Security wraps the filters, so a search
        // would find neither.
        if (!latchkey.isInAChain()) {
            LOG.warn("latchkey.login.enabled is true, and no filter chain has the login endpoints; write"
                    + " latchkey.addTo(http) in the SecurityWebFilterChain bean that is to have them, where latchkey is a"
                    + " parameter of the type LatchkeyWebFlux");
        }
    }
}
