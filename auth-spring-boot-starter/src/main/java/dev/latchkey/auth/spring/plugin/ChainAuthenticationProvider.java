package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.spring.http.CurrentRequest;
import dev.latchkey.auth.spring.http.StepsAsked;
import dev.latchkey.auth.spring.password.ComparedPassword;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;

/**
 * The chain of plugins as a provider of Spring Security: HTTP Basic and forms get the same decisions as the login endpoint.
 *
 * <p>Only {@link Authenticated} is accepted. An outage is an exception that no filter takes for a wrong password. If a plugin
 * calls this provider in turn, the provider abstains; otherwise a plugin around Spring's own manager would call itself forever.
 *
 * @param logins creates the login from the verdict and the presented credentials
 */
record ChainAuthenticationProvider(AuthChain plugins, BiFunction<Authenticated, Authentication, Authentication> logins)
        implements AuthenticationProvider, ComparedPassword.Noting {

    @Override
    public boolean supports(Class<?> authentication) {
        return UsernamePasswordAuthenticationToken.class.isAssignableFrom(authentication);
    }

    @Override
    public @Nullable Authentication authenticate(Authentication presented) {
        return plugins.outsideLogins().isWithinChain() ? null : decide(presented);
    }

    private Authentication decide(Authentication presented) {
        Verdict verdict = verdictOn(LatchkeyPasswords.credentialsOf(presented), CurrentRequest.context());
        if (verdict instanceof Authenticated authenticated) {
            StepsAsked outer = StepsAsked.in(CurrentLogin.here());
            if (outer != null) {
                outer.ofChain(authenticated.subject().id());
            }
            return logins.apply(authenticated, presented);
        }
        throw SecurityEvents.exceptionFor(verdict);
    }

    private Verdict verdictOn(PasswordCredentials credentials, RequestContext context) {
        CurrentLogin login = CurrentLogin.here();
        ComparedPassword.Unseen before = ComparedPassword.askingPlugins(login);
        try {
            Verdict verdict =
                    SecurityEvents.publishedByManager(login).supply(() -> plugins.authenticate(credentials, context));
            ComparedPassword.note(login, verdict);
            return verdict;
        } finally {
            ComparedPassword.decided(login, before);
        }
    }
}
