package dev.latchkey.auth.spring.webflux;

import dev.latchkey.auth.spring.settings.BeanTypes;
import dev.latchkey.auth.spring.token.LatchkeyResourceServerAutoConfiguration;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.SecurityWebFilterChain;

/**
 * Adds Latchkey to the default WebFlux filter chain of a service without a chain. The default chain is Spring Security's chain,
 * Boot's chain with the actuator, or Boot's chain for a resource server with Latchkey's decoder. A service with its own chain
 * decides for itself.
 */
final class ReactiveBootChainPostProcessor implements BeanPostProcessor {

    private static final Logger LOG = LoggerFactory.getLogger(ReactiveBootChainPostProcessor.class);

    private static final String WITH_THE_ACTUATOR = ".ReactiveManagementWebSecurityAutoConfiguration";

    /** Boot's chain for a resource server. With Latchkey's decoder, Latchkey is the reason for the chain. */
    private static final String RESOURCE_SERVER = ".ReactiveOAuth2ResourceServer";

    private final ConfigurableListableBeanFactory beans;
    private final ObjectProvider<LatchkeyWebFlux> latchkey;

    ReactiveBootChainPostProcessor(ConfigurableListableBeanFactory beans, ObjectProvider<LatchkeyWebFlux> latchkey) {
        this.beans = beans;
        this.latchkey = latchkey;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof ServerHttpSecurity http && hasOnlyDefaultChains()) {
            add(latchkey.getObject(), http);
            LOG.info(
                    "The service has no WebFlux filter chain of its own: the default one takes bearer tokens and plugins");
        }
        return bean;
    }

    private boolean hasOnlyDefaultChains() {
        return Arrays.stream(beans.getBeanNamesForType(SecurityWebFilterChain.class, true, false))
                .allMatch(chain ->
                        isOf(chain, WITH_THE_ACTUATOR) || (isResourceServer() && isOf(chain, RESOURCE_SERVER)));
    }

    private void add(LatchkeyWebFlux latchkey, ServerHttpSecurity http) {
        boolean isResourceServer = Arrays.stream(beans.getBeanNamesForType(SecurityWebFilterChain.class, true, false))
                .anyMatch(chain -> isOf(chain, RESOURCE_SERVER));
        if (isResourceServer) {
            latchkey.addToResourceServer(http);
        } else {
            latchkey.addTo(http);
        }
    }

    private boolean isResourceServer() {
        return beans.containsBean(LatchkeyResourceServerAutoConfiguration.REACTIVE_DECODER);
    }

    private boolean isOf(String chain, String configuration) {
        String defining = BeanTypes.definingClass(beans, chain);
        return defining.startsWith(BeanTypes.BOOT) && defining.contains(configuration);
    }
}
