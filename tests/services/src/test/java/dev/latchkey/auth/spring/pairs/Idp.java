package dev.latchkey.auth.spring.pairs;

import dev.latchkey.auth.Authenticated;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.saml2.provider.service.authentication.DefaultSaml2AuthenticatedPrincipal;
import org.springframework.security.saml2.provider.service.authentication.Saml2Authentication;
import org.springframework.security.saml2.provider.service.web.authentication.Saml2WebSsoAuthenticationFilter;
import org.springframework.security.web.authentication.SimpleUrlAuthenticationFailureHandler;
import org.springframework.security.web.context.HttpSessionSecurityContextRepository;

/**
 * A provider of SAML logins, without a server. {@code name:secret} is its response. The filter is the one of {@code saml2Login},
 * whose configurer needs OpenSAML, which is not in Maven Central.
 */
record Idp(World world) {

    /** As the subjects of its accounts begin. */
    static final String SOURCE = "saml2:idp";

    Saml2WebSsoAuthenticationFilter filter() {
        Saml2WebSsoAuthenticationFilter login =
                new Saml2WebSsoAuthenticationFilter(Idp::presented, "/login/saml2/sso/{registrationId}");
        login.setAuthenticationManager(this::decide);
        login.setAuthenticationFailureHandler(new SimpleUrlAuthenticationFailureHandler("/login?error"));
        login.setSecurityContextRepository(new HttpSessionSecurityContextRepository());
        return login;
    }

    private static Authentication presented(HttpServletRequest request) {
        return new TestingAuthenticationToken("", request.getParameter("SAMLResponse"));
    }

    private Authentication decide(Authentication presented) {
        String response = String.valueOf(presented.getCredentials());
        Sources.Cards.Card parts = Sources.Cards.Card.of(response);
        if (!(world.decide(SOURCE, parts.holder(), parts.secret()) instanceof Authenticated)) {
            throw new BadCredentialsException("denied");
        }
        DefaultSaml2AuthenticatedPrincipal principal = new DefaultSaml2AuthenticatedPrincipal(parts.holder(), Map.of());
        principal.setRelyingPartyRegistrationId("idp");
        return new Saml2Authentication(principal, response, AuthorityUtils.createAuthorityList("ROLE_USER"));
    }
}
