package dev.latchkey.auth.spring.webflux;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/** Warns where the login endpoints are switched on and no filter chain has them: requests for them would be 401 or 404 without a word. */
final class LoginWithoutAChain implements SmartInitializingSingleton {

    private static final Logger LOG = LoggerFactory.getLogger(LoginWithoutAChain.class);

    private final LatchkeyWebFlux latchkey;

    LoginWithoutAChain(LatchkeyWebFlux latchkey) {
        this.latchkey = latchkey;
    }

    @Override
    public void afterSingletonsInstantiated() {
        // Every chain is made by then. Boot's default one is no bean, and Spring Security wraps the filters, so neither
        // can be looked for.
        if (!latchkey.isInAChain()) {
            LOG.warn("latchkey.login.enabled is true, and no filter chain has the login endpoints; write"
                    + " latchkey.addTo(http) in the SecurityWebFilterChain bean that is to have them, where latchkey is a"
                    + " parameter of the type LatchkeyWebFlux");
        }
    }
}
