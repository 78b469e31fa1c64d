package dev.latchkey.auth.spring;

import dev.latchkey.auth.AuthChain;
import dev.latchkey.auth.RevocationStore;
import dev.latchkey.auth.jwt.JwtSigner;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;

/** Login and logout, where {@code latchkey.login.enabled} asks for them; {@link LatchkeyHttpConfigurer} puts them in place. */
@AutoConfiguration(after = {LatchkeyAutoConfiguration.class, LatchkeyJwtAutoConfiguration.class})
@ConditionalOnClass(HttpSecurity.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
@ConditionalOnProperty("latchkey.login.enabled")
public final class LatchkeyLoginAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    LoginEndpoint latchkeyLoginEndpoint(
            LatchkeyProperties properties,
            AuthChain plugins,
            ObjectProvider<JwtSigner> signer,
            ObjectProvider<RevocationStore> revocations) {
        TokenLogin login = new TokenLogin(
                plugins, required(signer), required(revocations), properties.jwt(), InstantSource.system());
        return new LoginEndpoint(
                properties.login().path(),
                (int) properties.login().maxBodySize().toBytes(),
                login);
    }

    @Bean
    @ConditionalOnMissingBean
    LogoutEndpoint latchkeyLogoutEndpoint(LatchkeyProperties properties, AuthChain plugins) {
        return new LogoutEndpoint(properties.login().logoutPath(), plugins);
    }

    private static <T> T required(ObjectProvider<T> bean) {
        T available = bean.getIfAvailable();
        if (available == null) {
            throw new LatchkeyConfigurationException(
                    "latchkey.login.enabled is true, and there is no key to sign tokens with",
                    "Set latchkey.jwt.secret-file to a file that holds at least 32 random bytes in Base64, "
                            + "or define an HmacKey bean.");
        }
        return available;
    }
}
