package dev.latchkey.auth.spring.servlet;

import static dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer.latchkey;
import static org.springframework.security.config.Customizer.withDefaults;

import dev.latchkey.auth.spring.settings.BeanTypes;
import dev.latchkey.auth.spring.token.LatchkeyResourceServerAutoConfiguration;
import java.util.Arrays;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/**
 * Adds Latchkey to Boot's filter chain in a service without a chain of its own.
 *
 * <p>A separate chain of Latchkey would have to repeat Boot's rules, which differ with the actuator. Its place between Boot's
 * chains would differ between Boot versions. So Boot makes its chain, and Latchkey joins the new chain. Latchkey also joins
 * Boot's chain for a resource server, if the resource server has Latchkey's decoder. A service with its own chain, or with Boot's
 * chain for a foreign issuer, an OAuth2 client or SAML, decides for itself.
 */
final class BootChainPostProcessor implements BeanPostProcessor {

    private static final Logger LOG = LoggerFactory.getLogger(BootChainPostProcessor.class);

    /** Boot's default chains: without the actuator, and with the actuator. */
    private static final Set<String> DEFAULT_CHAINS =
            Set.of("defaultSecurityFilterChain", "managementSecurityFilterChain");

    /** Boot's chain for a resource server. With Latchkey's decoder, Latchkey is the reason for the chain. */
    private static final String RESOURCE_SERVER_CHAIN = "jwtSecurityFilterChain";

    private final ConfigurableListableBeanFactory beans;

    BootChainPostProcessor(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof HttpSecurity http && hasOnlyBootsDefaultChain()) {
            try {
                http.with(latchkey(), withDefaults());
            } catch (Exception e) {
                throw new BeanCreationException(beanName, "Latchkey cannot be added to Boot's filter chain", e);
            }
            LOG.info("The service has no filter chain of its own: Boot's default one takes bearer tokens and plugins");
        }
        return bean;
    }

    private boolean hasOnlyBootsDefaultChain() {
        String[] chains = beans.getBeanNamesForType(SecurityFilterChain.class, true, false);
        return chains.length > 0 && Arrays.stream(chains).allMatch(this::isBootsDefault);
    }

    /** A service may give its own chain the same name. */
    private boolean isBootsDefault(String chain) {
        boolean hasTheName = DEFAULT_CHAINS.contains(chain)
                || (chain.equals(RESOURCE_SERVER_CHAIN)
                        && beans.containsBean(LatchkeyResourceServerAutoConfiguration.DECODER));
        return hasTheName && BeanTypes.definingClass(beans, chain).startsWith(BeanTypes.BOOT);
    }
}
