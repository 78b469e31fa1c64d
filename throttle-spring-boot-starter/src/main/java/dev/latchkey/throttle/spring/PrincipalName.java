package dev.latchkey.throttle.spring;

import java.security.Principal;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.client.authentication.OAuth2AuthenticationToken;
import org.springframework.security.saml2.provider.service.authentication.Saml2AuthenticatedPrincipal;
import org.springframework.util.ClassUtils;

/**
 * The name under which a caller spends a rate. A provider of OAuth2 or SAML gives its accounts names of its own choice. An
 * account there must not spend the rate of a local account of the same name.
 */
final class PrincipalName {

    private static final boolean HAS_OAUTH2 =
            isPresent("org.springframework.security.oauth2.client.authentication.OAuth2AuthenticationToken");

    private static final boolean HAS_SAML2 =
            isPresent("org.springframework.security.saml2.provider.service.authentication.Saml2AuthenticatedPrincipal");

    private PrincipalName() {}

    static String of(Principal principal) {
        if (HAS_OAUTH2 && principal instanceof OAuth2AuthenticationToken login) {
            return "oauth2:" + login.getAuthorizedClientRegistrationId() + ":" + login.getName();
        }
        if (HAS_SAML2
                && principal instanceof Authentication login
                && login.getPrincipal() instanceof Saml2AuthenticatedPrincipal account) {
            return "saml2:" + account.getRelyingPartyRegistrationId() + ":" + account.getName();
        }
        return principal.getName();
    }

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, PrincipalName.class.getClassLoader());
    }
}
