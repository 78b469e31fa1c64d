package dev.latchkey.auth.spring.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.spring.http.AnswerText;
import dev.latchkey.auth.spring.http.EndpointPlay;
import dev.latchkey.auth.spring.http.LoginCookies;
import dev.latchkey.auth.spring.login.LoginParts;
import dev.latchkey.auth.spring.login.StepPlugin;
import dev.latchkey.auth.spring.login.TokenCustomizer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Logins that a transcript cannot play: with a second step, a plugin's own grant, tokens in cookies, or fields of the service. */
class TokenEndpointTest {

    private static final String LOGIN = "username=alice&password=correct-horse-battery";

    /** No plugin asks bob for a second step. */
    private static final String LOGIN_OF_BOB = "username=bob&password=correct-horse-battery";

    private static final LoginCookies COOKIES = LoginCookies.named("shop");

    private TokenCustomizer customizer = (context, options) -> options;
    private LoginParts parts = new LoginParts(List.of(), customizer, new StepPlugin(), new Accounts());

    @Test
    void missingStep_isAProblem_andAnErrorForOAuth() {
        EndpointPlay.Reply plain = post(LOGIN);
        assertThat(plain.status()).isEqualTo(401);
        assertThat(plain.headers().get("WWW-Authenticate")).containsExactly("Bearer realm=\"Realm\"");
        assertThat(plain.body())
                .contains("\"type\":\"tag:latchkey.dev,2026:next-step\"", ",\"method\":\"otp\"", "\"continuation\":\"")
                .doesNotContain("parameters")
                .endsWith(",\"expires_in\":300}");
        EndpointPlay.Reply oauth = post("grant_type=password&" + LOGIN);
        assertThat(oauth.status()).isEqualTo(400);
        assertThat(oauth.headers().get("Pragma")).containsExactly("no-cache");
        assertThat(oauth.body())
                .startsWith(
                        "{\"error\":\"mfa_required\",\"error_description\":\"Another step is wanted.\",\"method\":\"otp\"");
    }

    @Test
    void rightCode_givesTokens_andAWrongOneEndsTheLogin() {
        assertThat(post("continuation=" + continuation() + "&code=123456").body())
                .contains("\"access_token\":\"")
                .doesNotContain("device");
        String next = continuation();
        assertThat(post("continuation=" + next + "&code=654321").status()).isEqualTo(401);
        assertThat(post("continuation=" + next + "&code=123456").status()).isEqualTo(401);
    }

    @Test
    void stepWithoutAResponse_isInvalid_andTheContinuationStaysGood() {
        String continuation = continuation();
        assertThat(post("continuation=" + continuation).status()).isEqualTo(400);
        assertThat(post("continuation=" + continuation + "&remember_device=true")
                        .status())
                .isEqualTo(400);
        for (String name : TokenRequest.REMEMBER_ME) {
            assertThat(post("continuation=" + continuation + "&" + name + "=true")
                            .status())
                    .as(name)
                    .isEqualTo(400);
        }
        assertThat(post("continuation=" + continuation + "&client_id=a&client_secret=b&grant_type=mfa")
                        .status())
                .isEqualTo(400);
        assertThat(post("continuation=" + continuation + "&code=123456&remember_device=maybe")
                        .status())
                .isEqualTo(400);
        assertThat(post("continuation=" + continuation + "&code=123456&remember_device=false")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void rememberedDevice_isInTheAnswer_ifTheClientAsksForThat() {
        assertThat(post("continuation=" + continuation() + "&code=123456&remember_device=true")
                        .body())
                .contains(",\"device_token\":\"device.1\",\"device_expires_in\":86400");
        String json = "{\"continuation\":\"" + continuation() + "\",\"code\":\"123456\",\"remember_device\":true}";
        assertThat(reply(new EndpointRequest(contextOf("application/json"), Map.of(), null, bytes(json)))
                        .body())
                .contains("\"device_token\":\"device.1\"");
    }

    @Test
    void deviceToken_hasANameOfNacos_forItsClients() {
        service("latchkey.login.response=nacos");
        TokenEndpoint nacos = tokens().atSecondPath();
        assertThat(nacos.path()).isEqualTo("/nacos/v1/auth/users/login");
        assertThat(nacos.readsBody()).isTrue();
        assertThat(nacos.speaksOAuth(form("grant_type=password"))).isTrue();
        assertThat(nacos.speaksOAuth(form("username=alice"))).isFalse();
        String body = AnswerText.of(
                        nacos.answer(form("continuation=" + continuation() + "&code=123456&remember_device=true")))
                .body();
        assertThat(body).contains(",\"deviceToken\":\"device.1\",\"deviceTokenTtl\":86400");
    }

    @Test
    void grantOfAPlugin_logsIn_andAnUnknownOneIsUnsupported() {
        assertThat(post("grant_type=urn:example:ticket&ticket=7").status()).isEqualTo(200);
        assertThat(post("grant_type=urn:example:ticket&ticket=8").body()).contains("\"invalid_grant\"");
        assertThat(post("grant_type=urn:example:other&ticket=7").body()).contains("\"unsupported_grant_type\"");
        assertThat(post("grant_type=urn:example:ticket").body()).contains("\"invalid_request\"");
    }

    /** RFC 8693 section 2.2.1 asks for the type of the token in the answer to this grant alone. */
    @Test
    void exchangedToken_hasItsType_andPragmaForbidsCaches() {
        EndpointPlay.Reply exchanged = post("grant_type=urn:ietf:params:oauth:grant-type:token-exchange&ticket=7");
        assertThat(exchanged.body())
                .contains(",\"issued_token_type\":\"urn:ietf:params:oauth:token-type:access_token\"");
        assertThat(exchanged.headers().get("Pragma")).containsExactly("no-cache");
        assertThat(post("grant_type=urn:example:ticket&ticket=7").body()).doesNotContain("issued_token_type");
    }

    @ParameterizedTest
    @ValueSource(strings = {"remember_me", "rememberMe", "remember-me"})
    void wishToStayLoggedIn_reachesTheCustomizer_asAFormAndAsJson(String name) {
        customizer = (context, options) -> options.withClaim("kept", context.isRemembered());
        service();
        assertThat(claims(post(LOGIN_OF_BOB + "&" + name + "=true"))).contains("\"kept\":true");
        assertThat(claims(post(LOGIN_OF_BOB + "&" + name + "=1"))).contains("\"kept\":false");
        String json = "{\"username\":\"bob\",\"password\":\"correct-horse-battery\",\"" + name + "\":true}";
        assertThat(claims(reply(new EndpointRequest(contextOf("application/json"), Map.of(), null, bytes(json)))))
                .contains("\"kept\":true");
    }

    @Test
    void fieldOfTheService_isInTheAnswer_andATakenNameIsAnError() {
        customizer = (context, options) -> options.withAnswer(tokens -> Map.of("tenant", List.of("a", 7, true)));
        service();
        assertThat(post(LOGIN_OF_BOB).body()).endsWith(",\"tenant\":[\"a\",7,true]}");
        customizer = (context, options) -> options.withAnswer(tokens -> Map.of("expires_in", 1));
        service();
        assertThatThrownBy(() -> post(LOGIN_OF_BOB)).hasMessageContaining("'expires_in'");
    }

    @Test
    void cookies_carryBothTokens_andTheBodyHasTheLifetimeAlone() {
        service();
        EndpointPlay.Reply reply = reply(form(LOGIN_OF_BOB).inCookies(COOKIES));
        assertThat(reply.body()).isEqualTo("{\"expires_in\":3600}");
        assertThat(reply.headers().get("Set-Cookie"))
                .hasSize(2)
                .allMatch(cookie -> cookie.contains("; HttpOnly; "))
                .anyMatch(cookie -> cookie.startsWith("__Host-shop=") && cookie.contains("Max-Age=3600;"))
                .anyMatch(cookie -> cookie.startsWith("__Host-shop-refresh=") && cookie.contains("Max-Age=604800;"));
    }

    @Test
    void cookies_keepTheTokensOutOfTheFieldsOfTheService() {
        customizer = (context, options) -> options.withAnswer(tokens -> Map.of(
                "id_token", tokens.access().value(),
                "both",
                        Map.of(
                                "list",
                                List.of("x" + tokens.refresh().orElseThrow().text())),
                "name", tokens.subject().id()));
        service();
        EndpointPlay.Reply login = reply(form(LOGIN_OF_BOB).inCookies(COOKIES));
        assertThat(login.body()).isEqualTo("{\"expires_in\":3600,\"name\":\"bob\"}");
        assertThat(post(LOGIN_OF_BOB).body()).contains("\"id_token\":\"ey", "\"both\":{\"list\":[\"x");
    }

    @Test
    void rememberedDevice_isInTheBody_besideTheCookies() {
        String form = "continuation=" + continuation() + "&code=123456&remember_device=true";
        assertThat(reply(form(form).inCookies(COOKIES)).body())
                .isEqualTo("{\"expires_in\":3600,\"device_token\":\"device.1\",\"device_expires_in\":86400}");
    }

    /** The cookie may be of another user, and a refresh with it would log that user in. */
    @Test
    void loginInCookiesWithoutARefreshToken_removesTheRefreshTokenOfAnEarlierLogin() {
        service("latchkey.login.refresh.enabled=false");
        assertThat(reply(form(LOGIN_OF_BOB).inCookies(COOKIES)).headers().get("Set-Cookie"))
                .hasSize(2)
                .anyMatch(cookie -> cookie.startsWith("__Host-shop=") && cookie.contains("Max-Age=3600;"))
                .anyMatch(cookie -> cookie.startsWith("__Host-shop-refresh=;") && cookie.contains("Max-Age=0;"));
    }

    @Test
    void refreshTokenOfTheCookie_isRead_forARequestWithoutOtherFields() {
        service();
        String cookie = cookieOf(reply(form(LOGIN_OF_BOB).inCookies(COOKIES)));
        assertThat(reply(carrying(cookie, "x=y").inCookies(COOKIES)).status()).isEqualTo(400);
        assertThat(reply(carrying(cookie, "")).status()).as("no cookies here").isEqualTo(400);
        EndpointPlay.Reply next = reply(carrying(cookie, "").inCookies(COOKIES));
        assertThat(next.status()).isEqualTo(200);
        assertThat(cookieOf(next)).isNotEqualTo(cookie);
    }

    @Test
    void oauthClient_getsItsTokensInCookies_whereCookiesAreAsked() {
        service();
        EndpointPlay.Reply reply =
                reply(form("grant_type=password&" + LOGIN_OF_BOB).inCookies(COOKIES));
        assertThat(reply.headers().get("Set-Cookie")).hasSize(2);
        assertThat(reply.body()).isEqualTo("{\"expires_in\":3600}");
    }

    @Test
    void announcedLength_overTheLimit_isRefusedUnread() {
        RequestContext context = contextOf("application/x-www-form-urlencoded");
        assertThat(reply(new EndpointRequest(
                                context.withHeader("Content-Length", "8193"), Map.of(), null, bytes(LOGIN)))
                        .status())
                .isEqualTo(413);
        assertThat(reply(new EndpointRequest(
                                context.withHeader("Content-Length", "8192"), Map.of(), null, bytes(LOGIN)))
                        .status())
                .isEqualTo(401);
        assertThat(reply(new EndpointRequest(
                                context.withHeader("Content-Length", "many"), Map.of(), null, bytes(LOGIN)))
                        .status())
                .isEqualTo(401);
    }

    private void service(String... settings) {
        parts = new LoginParts(List.of(settings), customizer, new StepPlugin(), new Accounts());
    }

    private String continuation() {
        Matcher found = Pattern.compile("\"continuation\":\"([^\"]+)\"")
                .matcher(post(LOGIN).body());
        assertThat(found.find()).isTrue();
        return found.group(1);
    }

    private static String cookieOf(EndpointPlay.Reply reply) {
        return reply.headers().get("Set-Cookie").stream()
                .filter(cookie -> cookie.startsWith("__Host-shop-refresh="))
                .findFirst()
                .orElseThrow()
                .replaceAll(";.*", "");
    }

    private static String claims(EndpointPlay.Reply reply) {
        String payload = reply.body().replaceAll(".*\"access_token\":\"[^.]+\\.([^.]+).*", "$1");
        return new String(Base64.getUrlDecoder().decode(payload), StandardCharsets.UTF_8);
    }

    private TokenEndpoint tokens() {
        return new TokenEndpoint(
                parts.properties().login(),
                new OAuthClients(parts.properties().login().clients(), List.of()),
                parts.login(),
                parts.refreshable());
    }

    private EndpointPlay.Reply post(String form) {
        return reply(form(form));
    }

    private EndpointPlay.Reply reply(EndpointRequest request) {
        return AnswerText.of(tokens().answer(request));
    }

    private static EndpointRequest form(String form) {
        return new EndpointRequest(contextOf("application/x-www-form-urlencoded"), Map.of(), null, bytes(form));
    }

    private static EndpointRequest carrying(String cookie, String form) {
        return new EndpointRequest(
                contextOf("application/x-www-form-urlencoded").withHeader("Cookie", cookie),
                Map.of(),
                null,
                bytes(form));
    }

    private static RequestContext contextOf(String type) {
        return RequestContext.from("192.0.2.7").withHeader("Content-Type", type);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
