package dev.latchkey.throttle.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.oauth2.client.authentication.OAuth2AuthenticationToken;
import org.springframework.security.oauth2.core.user.DefaultOAuth2User;
import org.springframework.security.saml2.provider.service.authentication.DefaultSaml2AuthenticatedPrincipal;

class PrincipalNameTest {

    @Test
    void accountOfAProvider_spendsNoRateOfALocalAccount() {
        assertThat(PrincipalName.of(new TestingAuthenticationToken("dora", null)))
                .isEqualTo("dora");
        assertThat(PrincipalName.of(() -> "dora")).isEqualTo("dora");
        DefaultOAuth2User user = new DefaultOAuth2User(List.of(), Map.of("login", "dora"), "login");
        assertThat(PrincipalName.of(new OAuth2AuthenticationToken(user, List.of(), "hub")))
                .isEqualTo("oauth2:hub:dora");
        DefaultSaml2AuthenticatedPrincipal account = new DefaultSaml2AuthenticatedPrincipal("dora", Map.of());
        account.setRelyingPartyRegistrationId("firm");
        assertThat(PrincipalName.of(new TestingAuthenticationToken(account, null)))
                .isEqualTo("saml2:firm:dora");
    }
}
