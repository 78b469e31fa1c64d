package dev.latchkey.auth.spring.servlet;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.security.web.SecurityFilterChain;

/**
 * Warns if the login endpoints are enabled without a filter chain: requests to the endpoints would get 401 or 404 without a
 * reason.
 */
final class LoginWithoutAChain implements SmartInitializingSingleton {

    private static final Logger LOG = LoggerFactory.getLogger(LoginWithoutAChain.class);

    private final ObjectProvider<SecurityFilterChain> chains;

    LoginWithoutAChain(ObjectProvider<SecurityFilterChain> chains) {
        this.chains = chains;
    }

    @Override
    public void afterSingletonsInstantiated() {
        boolean isServed = chains.stream()
                .flatMap(chain -> chain.getFilters().stream())
                .anyMatch(TokenEndpointFilter.class::isInstance);
        if (!isServed) {
            LOG.warn("latchkey.login.enabled is true, and no filter chain has the login endpoints; write"
                    + " http.with(LatchkeyHttpConfigurer.latchkey(), Customizer.withDefaults()) in the SecurityFilterChain bean"
                    + " that is to have them");
        }
    }
}
