package dev.latchkey.auth.spring.limits;

import java.util.List;
import org.springframework.context.MessageSource;
import org.springframework.security.authentication.AuthenticationEventPublisher;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.core.Authentication;

/**
 * A {@link ProviderManager} that asks the manager which stands around another one, for where Spring Security's builders want it by its class. All
 * else it leaves to that other one.
 */
final class DecoratedProviders extends ProviderManager {

    private final ProviderManager manager;
    private final AuthenticationManager decorated;

    /** @param decorated that manager, with what stands around it */
    DecoratedProviders(ProviderManager manager, AuthenticationManager decorated) {
        super(List.of(), manager);
        this.manager = manager;
        this.decorated = decorated;
    }

    @Override
    public Authentication authenticate(Authentication authentication) {
        return decorated.authenticate(authentication);
    }

    @Override
    public List<AuthenticationProvider> getProviders() {
        return manager.getProviders();
    }

    @Override
    public void setMessageSource(MessageSource messages) {
        manager.setMessageSource(messages);
    }

    @Override
    public void setAuthenticationEventPublisher(AuthenticationEventPublisher publisher) {
        manager.setAuthenticationEventPublisher(publisher);
    }

    @Override
    public void setEraseCredentialsAfterAuthentication(boolean erase) {
        manager.setEraseCredentialsAfterAuthentication(erase);
    }

    @Override
    public boolean isEraseCredentialsAfterAuthentication() {
        return manager.isEraseCredentialsAfterAuthentication();
    }

    @Override
    public String toString() {
        return "Decorated " + manager;
    }
}
