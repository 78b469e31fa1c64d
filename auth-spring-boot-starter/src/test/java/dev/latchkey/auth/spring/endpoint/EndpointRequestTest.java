package dev.latchkey.auth.spring.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsReader;
import dev.latchkey.auth.CredentialsRevoker;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.spring.AudibleLog;
import dev.latchkey.auth.spring.http.AnswerText;
import dev.latchkey.auth.spring.http.EndpointPlay;
import dev.latchkey.auth.spring.http.LoginCookies;
import dev.latchkey.auth.spring.http.TokenHeader;
import dev.latchkey.auth.spring.login.LoginParts;
import dev.latchkey.auth.spring.login.StepPlugin;
import dev.latchkey.auth.spring.login.TokenIssuer;
import dev.latchkey.auth.spring.login.TokenOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.http.HttpMethod;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;

/** What endpoints read of a request, and their answers beside tokens. */
@ExtendWith({AudibleLog.class, OutputCaptureExtension.class})
class EndpointRequestTest {

    private static final String FORM = "application/x-www-form-urlencoded";

    @Test
    void nameInTheBody_isFound_evenWhereTheBodyIsUnreadable() {
        assertThat(request(FORM, "grant_type=a").names("grant_type")).isTrue();
        assertThat(request(FORM, "user=grant_type").names("grant_type")).isFalse();
        assertThat(request(FORM, "grant_type=a&b=%z").names("grant_type")).isTrue();
        assertThat(request("text/plain", "grant_type=a").names("grant_type")).isTrue();
        assertThat(request("text/plain", "user=a").names("grant_type")).isFalse();
    }

    @Test
    void query_isThere_onlyIfNotEmpty() {
        assertThat(new EndpointRequest(RequestContext.none(), Map.of(), "a=b", new byte[0]).query())
                .contains("a=b");
        assertThat(new EndpointRequest(RequestContext.none(), Map.of(), "", new byte[0]).query())
                .isEmpty();
        assertThat(new EndpointRequest(RequestContext.none(), Map.of(), null, new byte[0]).query())
                .isEmpty();
    }

    @Test
    void variable_isThatOfThePath_andEmptyWithout() {
        EndpointRequest request = new EndpointRequest(RequestContext.none(), Map.of("id", "7"), null, new byte[0]);
        assertThat(request.variable("id")).isEqualTo("7");
        assertThat(request.variable("other")).isEmpty();
        assertThat(request.inCookies(LoginCookies.named("shop")).variable("id")).isEqualTo("7");
    }

    @Test
    void twoTypes_areNoType() {
        RequestContext two = RequestContext.none().withHeader("Content-Type", FORM, FORM);
        assertThat(new EndpointRequest(two, Map.of(), null, bytes("a=b"))
                        .withFields(
                                fields -> {
                                    throw new AssertionError("read");
                                },
                                TokenRefusal::unreadable))
                .satisfies(answer -> assertThat(AnswerText.of(answer).status()).isEqualTo(415));
    }

    @ParameterizedTest
    @ValueSource(strings = {"8193", "999999999999999999"})
    void longerAnnouncedLength_isTooMuch(String length) {
        assertThat(announces(length)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"8192", "0", "-9000", "9000x", "", "9999999999999999999"})
    void otherAnnouncedLength_isNot(String length) {
        assertThat(announces(length)).isFalse();
    }

    private static boolean announces(String length) {
        return EndpointRequest.announcesTooMuch(name -> name.equals("Content-Length") ? List.of(length) : List.of());
    }

    @Test
    void json_escapesWhatItMust_andWritesEachKind() {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("a\"\\", "\n\u001f \ud83d\udd11\ud800\u007f\u00fc");
        value.put("b", List.of(1, true, Map.of(), "x"));
        assertThat(JsonText.of(value))
                .isEqualTo("{\"a\\\"\\\\\":\"\\u000a\\u001f \\ud83d\\udd11\\ud800\u007f\u00fc\","
                        + "\"b\":[1,true,{},\"x\"]}");
    }

    @Test
    void form_isReadWithItsEscapes() throws Exception {
        assertThat(FormFields.parse("=v&a=%c3%BC+b%2B&&c&d=e=f"))
                .isEqualTo(Map.of("", "v", "a", "\u00fc b+", "c", "", "d", "e=f"));
    }

    @Test
    void fieldsWithALoneSurrogate_areNoGrantAndNoResponse() {
        TokenRequest request = new TokenRequest(Map.of("grant_type", "x", "code", "\ud800"));
        assertThat(request.grant()).isEmpty();
        assertThat(request.response()).isEmpty();
        assertThat(new TokenRequest(Map.of("username", "a", "password", "\ud800")).credentials())
                .isEmpty();
    }

    @Test
    void grant_hasTheOtherFields_withoutTheSecretOfTheClient() {
        Map<String, String> sent = Map.of("grant_type", "x", "client_id", "c", "client_secret", "s", "ticket", "7");
        assertThat(new TokenRequest(sent).grant())
                .hasValueSatisfying(fields -> assertThat(fields).containsOnlyKeys("client_id", "ticket"));
    }

    @Test
    void failure_isAnErrorOfTheServer_inTheFormOfTheRequest_andIsLogged(CapturedOutput log) {
        LoginParts parts = parts();
        TokenEndpoint endpoint = new TokenEndpoint(
                parts.properties().login(), new OAuthClients(Map.of(), List.of()), parts.login(), null);
        IllegalStateException failure = new IllegalStateException("a bug");
        EndpointPlay.Reply plain =
                AnswerText.of(EndpointFailures.answerTo(failure, endpoint, request(FORM, "username=a")));
        assertThat(plain.status()).isEqualTo(500);
        assertThat(plain.body()).contains("about:blank");
        EndpointPlay.Reply oauth =
                AnswerText.of(EndpointFailures.answerTo(failure, endpoint, request(FORM, "grant_type=a")));
        assertThat(oauth.status()).isEqualTo(500);
        assertThat(oauth.body()).contains("\"error\":\"server_error\"");
        assertThat(log).contains("/auth/token failed", "a bug");
    }

    @Test
    void outage_isNotLogged_andIsTemporary(CapturedOutput log) {
        AuthUnavailableException outage = AuthUnavailableException.outage("down");
        LoginParts parts = parts();
        TokenEndpoint endpoint = new TokenEndpoint(
                parts.properties().login(), new OAuthClients(Map.of(), List.of()), parts.login(), null);
        assertThat(AnswerText.of(EndpointFailures.answerTo(outage, endpoint, request(FORM, "grant_type=a")))
                        .body())
                .contains("\"error\":\"temporarily_unavailable\"");
        assertThat(AnswerText.of(LoginAnswers.toFailure(outage)).status()).isEqualTo(503);
        assertThat(log.getAll()).doesNotContain("failed", "could not be answered");
    }

    @Test
    void failureOfRevocationAndIntrospection_isAnErrorOfOAuth() {
        LoginParts parts = parts();
        OAuthClients none = new OAuthClients(Map.of(), List.of());
        AuthUnavailableException outage = AuthUnavailableException.outage("down");
        for (AuthEndpoint endpoint : List.of(
                new RevokeEndpoint(parts.properties().login(), none, parts.revocation()),
                new IntrospectEndpoint(parts.properties().login(), none, parts.inspection()))) {
            assertThat(AnswerText.of(EndpointFailures.answerTo(outage, endpoint, request("text/plain", "")))
                            .body())
                    .contains("\"error\":\"temporarily_unavailable\"");
        }
    }

    @Test
    void failureOfALoginOfSpringSecurity_isLogged(CapturedOutput log) {
        assertThat(AnswerText.of(LoginAnswers.toFailure(new IllegalStateException("a bug")))
                        .status())
                .isEqualTo(500);
        assertThat(log).contains("could not be answered with tokens", "a bug");
    }

    @Test
    void loginOfSpringSecurity_isAnsweredWithTokens_andABrowserGoesToItsPage() {
        LoginParts parts = parts();
        StaticListableBeanFactory beans = new StaticListableBeanFactory(Map.of("issuer", parts.issuer()));
        LoginAnswers answers = new LoginAnswers(beans.getBeanProvider(TokenIssuer.class), Duration.ofDays(7));
        Authentication bob = UsernamePasswordAuthenticationToken.authenticated(
                "bob", null, AuthorityUtils.createAuthorityList("ROLE_USER"));
        Authentication alice = UsernamePasswordAuthenticationToken.authenticated(
                "alice", null, AuthorityUtils.createAuthorityList("ROLE_USER"));
        RequestContext context = RequestContext.from("192.0.2.7");
        assertThat(AnswerText.of(answers.to(bob, context, options(), null, "")).body())
                .contains("\"access_token\":\"", "\"refresh_token\":\"");
        LoginCookies cookies = LoginCookies.named("shop").withLanding("/app");
        EndpointPlay.Reply redirect = AnswerText.of(answers.to(bob, context, options(), cookies, ""));
        assertThat(redirect.status()).isEqualTo(303);
        assertThat(redirect.headers().get("Location")).containsExactly("/app");
        for (String prefix : List.of("/shop", "//shop")) {
            assertThat(AnswerText.of(answers.to(bob, context, options(), cookies, prefix))
                            .headers()
                            .get("Location"))
                    .containsExactly("/shop/app");
        }
        assertThat(redirect.headers().get("Set-Cookie"))
                .hasSize(2)
                .anyMatch(cookie -> cookie.startsWith("__Host-shop-refresh=") && cookie.contains("Max-Age=604800"));
        EndpointPlay.Reply step = AnswerText.of(answers.to(alice, context, options(), cookies, ""));
        assertThat(step.status()).isEqualTo(401);
        assertThat(step.body()).contains("next-step");
        assertThat(step.headers()).doesNotContainKey("Set-Cookie");
    }

    private static TokenOptions options() {
        return TokenOptions.defaults();
    }

    @Test
    void logoutInCookies_endsTheSession_andRemovesBothCookies() {
        LoginParts parts = parts();
        LoginCookies cookies = LoginCookies.named("shop");
        String refresh = parts.refreshable() == null ? "" : refreshTokenOf(parts);
        LogoutEndpoint endpoint = new LogoutEndpoint(
                parts.properties().login(), TokenHeader.AUTHORIZATION, parts.revocation(), parts.plugins());
        RequestContext context = RequestContext.none().withHeader("Cookie", "__Host-shop-refresh=" + refresh);
        EndpointRequest plain = new EndpointRequest(context, Map.of(), null, new byte[0]);
        assertThat(AnswerText.of(endpoint.answer(plain)).status())
                .as("without cookies")
                .isEqualTo(401);
        EndpointPlay.Reply done = AnswerText.of(endpoint.answer(plain.inCookies(cookies)));
        assertThat(done.status()).isEqualTo(204);
        assertThat(done.headers().get("Set-Cookie")).hasSize(2).allMatch(cookie -> cookie.contains("Max-Age=0"));
        assertThat(Optional.ofNullable(parts.refreshable()).flatMap(logins -> logins.refresh(refresh)))
                .isEmpty();
    }

    @Test
    void logoutBesideATokenInAField_revokesTheAccessTokenOfTheCookieToo() {
        LoginParts parts = parts();
        String field = accessTokenOf(parts);
        String cookie = accessTokenOf(parts);
        LogoutEndpoint endpoint = new LogoutEndpoint(
                parts.properties().login(), TokenHeader.AUTHORIZATION, parts.revocation(), parts.plugins());
        RequestContext context = RequestContext.none()
                .withHeader("Authorization", "Bearer " + field)
                .withHeader("Cookie", "__Host-shop=" + cookie);
        EndpointRequest request =
                new EndpointRequest(context, Map.of(), null, new byte[0]).inCookies(LoginCookies.named("shop"));
        assertThat(AnswerText.of(endpoint.answer(request)).status()).isEqualTo(204);
        assertThat(List.of(field, cookie))
                .allMatch(token -> parts.plugins().authenticate(BearerToken.of(token)) instanceof Rejected);
    }

    @Test
    void logoutWithCredentialsOfAPlugin_revokesThem() {
        KeyPlugin keys = new KeyPlugin();
        LoginParts parts = new LoginParts(List.of(), (context, options) -> options, keys, new Accounts());
        LogoutEndpoint endpoint = new LogoutEndpoint(
                parts.properties().login(), TokenHeader.AUTHORIZATION, parts.revocation(), parts.plugins());
        RequestContext context = RequestContext.none().withHeader("X-Key", "k1");
        assertThat(AnswerText.of(endpoint.answer(new EndpointRequest(context, Map.of(), null, new byte[0])))
                        .status())
                .isEqualTo(204);
        assertThat(keys.revoked).containsExactly("k1");
    }

    private static String refreshTokenOf(LoginParts parts) {
        TokenEndpoint tokens = new TokenEndpoint(
                parts.properties().login(), new OAuthClients(Map.of(), List.of()), parts.login(), parts.refreshable());
        return AnswerText.of(tokens.answer(request(FORM, "username=bob&password=correct-horse-battery")))
                .body()
                .replaceAll(".*\"refresh_token\":\"([^\"]+)\".*", "$1");
    }

    @Test
    void ownSession_hasItsAddress_ifTheServiceRecordsAddresses() {
        for (boolean recorded : new boolean[] {true, false}) {
            LoginParts parts = new LoginParts(
                    List.of("latchkey.login.logins.enabled=true", "latchkey.login.logins.record-address=" + recorded),
                    (context, options) -> options,
                    new Accounts());
            OwnLoginsEndpoint list = OwnLoginsEndpoint.ofList(parts.properties(), parts.own(), parts.plugins());
            RequestContext bearer = RequestContext.none().withHeader("Authorization", "Bearer " + accessTokenOf(parts));
            String body = AnswerText.of(list.answer(new EndpointRequest(bearer, Map.of(), null, new byte[0])))
                    .body();
            assertThat(body).contains("\"current\":true");
            assertThat(body.contains("\"address\":\"192.0.2.7\"")).isEqualTo(recorded);
        }
    }

    /** RFC 8693 section 4.1: the actor is another account than the subject. */
    @Test
    void accountThatActsAsAnother_seesNoSessions() {
        LoginParts parts = new LoginParts(
                List.of("latchkey.login.logins.enabled=true"), (context, options) -> options, new Accounts());
        OwnLoginsEndpoint list = OwnLoginsEndpoint.ofList(parts.properties(), parts.own(), parts.plugins());
        String acting = parts.acting((actor, other) -> true)
                .actAs(accessTokenOf(parts), "alice", Duration.ofMinutes(1))
                .orElseThrow()
                .value();
        RequestContext bearer = RequestContext.none().withHeader("Authorization", "Bearer " + acting);
        assertThat(AnswerText.of(list.answer(new EndpointRequest(bearer, Map.of(), null, new byte[0])))
                        .status())
                .isEqualTo(403);
    }

    private static String accessTokenOf(LoginParts parts) {
        TokenEndpoint tokens = new TokenEndpoint(
                parts.properties().login(), new OAuthClients(Map.of(), List.of()), parts.login(), parts.refreshable());
        return AnswerText.of(tokens.answer(request(FORM, "username=bob&password=correct-horse-battery")))
                .body()
                .replaceAll(".*\"access_token\":\"([^\"]+)\".*", "$1");
    }

    @Test
    void refusedPreflight_isLoggedOnce_andWithItsEndpoint(CapturedOutput log) {
        LoginParts parts = parts();
        LogoutEndpoint endpoint = new LogoutEndpoint(
                parts.properties().login(), TokenHeader.AUTHORIZATION, parts.revocation(), parts.plugins());
        RefusedPreflights preflights = new RefusedPreflights("http.cors(withDefaults())");
        preflights.tell(endpoint);
        assertThat(log).contains("CORS preflight for POST /auth/logout was refused");
        preflights.tell(endpoint);
        assertThat(log.getAll().split("CORS preflight for POST /auth/logout was refused", -1))
                .hasSize(2);
        assertThat(log).contains("Write http.cors(withDefaults()) in the filter chain");
        assertThat(endpoint.method()).isEqualTo(HttpMethod.POST);
        assertThat(endpoint.speaksOAuth(request(FORM, "grant_type=password"))).isFalse();
        assertThat(endpoint.serves("POST")).isTrue();
        assertThat(endpoint.serves("DELETE")).isFalse();
        assertThat(endpoint.serves("HEAD")).isFalse();
    }

    private static LoginParts parts() {
        return new LoginParts(List.of(), (context, options) -> options, new StepPlugin(), new Accounts());
    }

    private static EndpointRequest request(String type, String body) {
        return new EndpointRequest(
                RequestContext.from("192.0.2.7").withHeader("Content-Type", type), Map.of(), null, bytes(body));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Reads keys from a header field of its own. */
    private static final class KeyPlugin implements LoginSource<KeyPlugin.Key>, CredentialsReader, CredentialsRevoker {

        record Key(String text) implements Credentials {}

        final List<String> revoked = new ArrayList<>();

        @Override
        public String name() {
            return "keys";
        }

        @Override
        public Class<Key> kind() {
            return Key.class;
        }

        @Override
        public Decision authenticate(Key key, RequestContext context) {
            return Decision.abstained();
        }

        @Override
        public Optional<Credentials> read(RequestContext context) {
            return context.header("X-Key").stream().findFirst().map(Key::new);
        }

        @Override
        public boolean revoke(Credentials credentials) {
            return credentials instanceof Key key && revoked.add(key.text());
        }

        @Override
        public boolean revokeAll(String subjectId, Instant notBefore) {
            return false;
        }
    }
}
