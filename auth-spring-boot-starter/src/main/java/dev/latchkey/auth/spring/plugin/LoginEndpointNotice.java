package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.engine.AuthChain;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.ReactiveJwtDecoder;
import org.springframework.util.ClassUtils;

/**
 * Warns at the start if the login endpoint rejects each password, or if no component accepts the endpoint's tokens. For
 * a service with Spring Security.
 */
final class LoginEndpointNotice {

    private static final Logger LOG = LoggerFactory.getLogger(LoginEndpointNotice.class);

    private static final boolean HAS_DECODERS = ClassUtils.isPresent(
            "org.springframework.security.oauth2.jwt.JwtDecoder", LoginEndpointNotice.class.getClassLoader());

    private final ListableBeanFactory beans;

    LoginEndpointNotice(ListableBeanFactory beans) {
        this.beans = beans;
    }

    /** @param namesPlugins whether the service names its plugins; such a service may omit its accounts on purpose */
    void log(AuthChain chain, boolean namesPlugins) {
        // On WebFlux, Spring Security itself stops the start of a service with two stores of accounts.
        List<String> stores = beansOf(UserDetailsService.class);
        if (stores.size() > 1 && !namesPlugins && !new PasswordPlugins(chain).haveSource()) {
            LOG.warn(
                    "latchkey.login.enabled is true, and no auth plugin decides the passwords of the login endpoint: the plugin users"
                            + " takes one UserDetailsService bean, and there are {}. Mark one of them with @Primary, or define one bean"
                            + " that asks all of them",
                    stores);
        }
        if (chain.plugins().stream().noneMatch(LoginEndpointNotice::acceptsTokens) && !hasDecoder()) {
            LOG.warn(
                    "latchkey.login.enabled is true, and nothing in this service accepts the tokens of the login endpoint: each"
                            + " request with such a token is answered 401. If the tokens are for this service, add jwt to latchkey.plugins");
        }
    }

    /**
     * A plugin of the service may accept these tokens too. The plugin for other issuers does not accept these tokens.
     */
    private static boolean acceptsTokens(AuthPlugin plugin) {
        return plugin instanceof LoginSource<?> source
                && source.kind().isAssignableFrom(BearerToken.class)
                && !(plugin instanceof OutsideSubjects);
    }

    /** The filter chain of an OAuth2 resource server may accept the tokens with a decoder. */
    private boolean hasDecoder() {
        return HAS_DECODERS
                && !(beansOf(JwtDecoder.class).isEmpty()
                        && beansOf(ReactiveJwtDecoder.class).isEmpty());
    }

    private List<String> beansOf(Class<?> type) {
        return List.of(beans.getBeanNamesForType(type, true, false));
    }
}
