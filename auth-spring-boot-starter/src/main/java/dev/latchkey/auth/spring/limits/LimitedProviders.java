package dev.latchkey.auth.spring.limits;

import dev.latchkey.auth.guard.login.LimitedLogins;
import java.util.List;
import org.springframework.context.MessageSource;
import org.springframework.security.authentication.AuthenticationEventPublisher;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.core.Authentication;

/**
 * A {@link ProviderManager} behind the login limits, for where Spring Security's builders want one by its class. All else is the
 * other one's.
 */
final class LimitedProviders extends ProviderManager {

    private final ProviderManager manager;
    private final LimitedPasswords limited;

    LimitedProviders(ProviderManager manager, LimitedLogins logins) {
        super(List.of(), manager);
        this.manager = manager;
        this.limited = new LimitedPasswords(manager, logins);
    }

    @Override
    public Authentication authenticate(Authentication authentication) {
        return limited.authenticate(authentication);
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
        return "Limited " + manager;
    }
}
