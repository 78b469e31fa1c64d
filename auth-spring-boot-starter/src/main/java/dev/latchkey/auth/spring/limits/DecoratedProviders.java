package dev.latchkey.auth.spring.limits;

import java.util.List;
import org.springframework.context.MessageSource;
import org.springframework.security.authentication.AuthenticationEventPublisher;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.core.Authentication;

/**
 * A {@link ProviderManager} in front of a decorated manager, because Spring Security's builders need this class. All other calls
 * go to the original manager.
 */
final class DecoratedProviders extends ProviderManager {

    private final ProviderManager manager;
    private final AuthenticationManager decorated;

    /**
     * @param decorated the same manager with its decoration
     */
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
