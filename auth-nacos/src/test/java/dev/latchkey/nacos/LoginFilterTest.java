package dev.latchkey.nacos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.source.TrustedProxies;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;

final class LoginFilterTest {

    private static final BCryptPasswordEncoder BCRYPT = new BCryptPasswordEncoder(4);

    private final FakeUsers users = new FakeUsers().with("ada", BCRYPT.encode("right"));
    private final FakeRoles roles = new FakeRoles();
    private final PluginParts parts = new PluginParts(users, roles);
    private final NacosLogins logins = parts.logins;
    private final LoginFilter filter = new LoginFilter(logins, parts.threads, new FirstAdmin(users, roles));

    @AfterEach
    void close() {
        parts.close();
    }

    @Test
    void answerOfALogin_isNotKeptByCaches() throws Exception {
        MockHttpServletResponse response = post("/v3/auth/user/login", "username", "ada", "password", "right");

        assertThat(response.getStatus()).isEqualTo(200);
        assertThat(response.getHeader("Cache-Control")).isEqualTo("no-store");
        assertThat(response.getContentType()).isEqualTo("application/json");
    }

    @Test
    void databaseThatIsDown_is503_andSaysNothingOfWhy() throws Exception {
        users.isDown = true;
        MockHttpServletResponse response = post("/v3/auth/user/login", "username", "ada", "password", "right");

        assertThat(response.getStatus()).isEqualTo(503);
        assertThat(response.getHeader("Retry-After")).isEqualTo("1");
        assertThat(response.getContentAsString()).doesNotContain("database", "Exception");
    }

    @Test
    void rolesThatCannotBeRead_are500_withoutAToken() throws Exception {
        roles.isDown = true;
        MockHttpServletResponse response = post("/v3/auth/user/login", "username", "ada", "password", "right");

        assertThat(response.getStatus()).isEqualTo(500);
        assertThat(response.getHeader("Authorization")).isNull();
    }

    /** Another release of the server may lack a method. A thread of the plugin would otherwise answer an empty 200. */
    @Test
    void errorOfALogin_is500() throws Exception {
        roles.error = new NoSuchMethodError("hasGlobalAdminRole");
        MockHttpServletResponse response = post("/v3/auth/user/login", "username", "ada", "password", "right");

        assertThat(response.getStatus()).isEqualTo(500);
        assertThat(response.getHeader("Authorization")).isNull();
    }

    @Test
    void loginByAToken_answersWithTheSameToken() throws Exception {
        String token = logins.login("ada", "right", null).orElseThrow().user().getToken();
        MockHttpServletResponse response = post("/v3/auth/user/login", "accessToken", token);

        assertThat(response.getHeader("Authorization")).isEqualTo("Bearer " + token);
    }

    @Test
    void name_countsBeforeAToken() throws Exception {
        String token = logins.login("ada", "right", null).orElseThrow().user().getToken();
        MockHttpServletResponse response =
                post("/v3/auth/user/login", "accessToken", token, "username", "ada", "password", "wrong");

        assertThat(response.getStatus()).isEqualTo(403);
    }

    @ParameterizedTest
    @CsvSource({",right", "ada,", "' ',right", "ada,' '"})
    void nameOrPasswordThatIsMissing_isRefusedAndCostsNothing(@Nullable String name, @Nullable String password) {
        assertThat(logins.login(name, password, null)).isEmpty();
        assertThat(logins.byPassword(name, password)).isEmpty();
        assertThat(users.reads).hasValue(0);
    }

    @Test
    void undecidedLogin_isToldToTheCall_whichHoldsItsAnswer() throws Exception {
        users.isDown = true;
        CurrentCall call = CurrentCall.of("203.0.113.7", TrustedProxies.none());
        CurrentCall before = call.begin();
        try {
            post("/v3/auth/user/login", "username", "ada", "password", "right");
        } finally {
            call.end(before);
        }

        assertThat(call.unavailable()).isPresent();
    }

    @Test
    void logout_endsTheToken() throws Exception {
        String token = logins.login("ada", "right", null).orElseThrow().user().getToken();

        assertThat(post("/v3/auth/user/logout", "accessToken", token).getStatus())
                .isEqualTo(200);
        assertThat(logins.byToken(token)).isEmpty();
        assertThat(post("/v3/auth/user/logout", "accessToken", token).getStatus())
                .isEqualTo(403);
    }

    @ParameterizedTest
    @CsvSource({"GET,/v3/auth/user/login", "PUT,/v3/auth/user/login", "POST,/v3/auth/user", "POST,/v3/auth/user/login/x"
    })
    void anythingElse_isTheServers(String method, String path) throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest(method, path);
        request.setServletPath(path);
        MockFilterChain chain = new MockFilterChain();
        filter.doFilter(request, new MockHttpServletResponse(), chain);

        assertThat(chain.getRequest()).isSameAs(request);
    }

    private MockHttpServletResponse post(String path, String... parameters) throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", path);
        request.setServletPath(path);
        for (int i = 0; i < parameters.length; i += 2) {
            request.setParameter(parameters[i], parameters[i + 1]);
        }
        MockHttpServletResponse response = new MockHttpServletResponse();
        MockFilterChain chain = new MockFilterChain();
        filter.doFilter(request, response, chain);
        assertThat(chain.getRequest()).isNull();
        return response;
    }
}
