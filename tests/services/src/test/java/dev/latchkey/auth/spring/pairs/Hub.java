package dev.latchkey.auth.spring.pairs;

import dev.latchkey.auth.Authenticated;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.oauth2.client.endpoint.OAuth2AuthorizationCodeGrantRequest;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.userinfo.OAuth2UserRequest;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.OAuth2AccessToken.TokenType;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.endpoint.OAuth2AccessTokenResponse;
import org.springframework.security.oauth2.core.user.DefaultOAuth2User;
import org.springframework.security.oauth2.core.user.OAuth2User;

/** A provider of OAuth2 logins, without a server. {@code name:secret} is both its code and its access token. */
record Hub(World world) {

    /** As the subjects of its accounts begin. */
    static final String SOURCE = "oauth2:hub";

    static final ClientRegistration REGISTRATION = ClientRegistration.withRegistrationId("hub")
            .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
            .clientId("shop")
            .clientSecret("secret-of-the-shop")
            .redirectUri("{baseUrl}/login/oauth2/code/{registrationId}")
            .authorizationUri("https://hub.example.test/authorize")
            .tokenUri("https://hub.example.test/token")
            .build();

    private static final Pattern STATE = Pattern.compile("[?&]state=([^&]+)");

    /** The request with which the provider sends the browser back, after the request that begins the login. */
    static Client.Ask callback(Visit visit, String secret) throws Exception {
        Client.Reply begun = visit.send("GET", "/oauth2/authorization/hub", "", Map.of());
        Matcher state = STATE.matcher(String.valueOf(begun.headers().getFirst("Location")));
        if (!state.find()) {
            throw new IllegalStateException(begun.shown());
        }
        return new Client.Ask(
                "GET",
                "/login/oauth2/code/hub?code=" + visit.name() + ":" + secret + "&state=" + state.group(1),
                Map.of("Cookie", begun.cookies().orElseThrow()),
                "",
                visit.from());
    }

    OAuth2AccessTokenResponse tokens(OAuth2AuthorizationCodeGrantRequest request) {
        String code =
                request.getAuthorizationExchange().getAuthorizationResponse().getCode();
        return OAuth2AccessTokenResponse.withToken(code)
                .tokenType(TokenType.BEARER)
                .build();
    }

    OAuth2User user(OAuth2UserRequest request) {
        Sources.Cards.Card code = Sources.Cards.Card.of(request.getAccessToken().getTokenValue());
        if (!(world.decide(SOURCE, code.holder(), code.secret()) instanceof Authenticated)) {
            throw new OAuth2AuthenticationException("access_denied");
        }
        return new DefaultOAuth2User(
                AuthorityUtils.createAuthorityList("ROLE_USER"), Map.of("login", code.holder()), "login");
    }
}
