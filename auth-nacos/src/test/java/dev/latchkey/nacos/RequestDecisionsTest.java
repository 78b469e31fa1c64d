package dev.latchkey.nacos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.alibaba.nacos.api.exception.NacosException;
import com.alibaba.nacos.api.exception.runtime.NacosRuntimeException;
import com.alibaba.nacos.plugin.auth.api.IdentityContext;
import com.alibaba.nacos.plugin.auth.api.Permission;
import com.alibaba.nacos.plugin.auth.api.Resource;
import com.alibaba.nacos.plugin.auth.exception.AccessException;
import com.alibaba.nacos.plugin.auth.impl.users.NacosUser;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.HeldRefusals;
import dev.latchkey.auth.guard.source.TrustedProxies;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;

final class RequestDecisionsTest {

    private static final BCryptPasswordEncoder BCRYPT = new BCryptPasswordEncoder(4);
    private static final String HASH = BCRYPT.encode("right");
    private static final Permission READ = new Permission(Resource.EMPTY_RESOURCE, "r");

    private final FakeUsers users = new FakeUsers().with("ada", HASH);
    private final FakeRoles roles = new FakeRoles();
    private final PluginParts parts = new PluginParts(users, roles);
    private final AccessTokens tokens = parts.tokens;
    private final NacosLogins logins = parts.logins;
    private final RequestDecisions decisions =
            new RequestDecisions(logins, new LatchkeyAuthenticationManager(logins, roles), TrustedProxies.none());
    private final IdentityContext context = new IdentityContext();

    @AfterEach
    void close() {
        parts.close();
    }

    @Test
    void tokenOverGrpc_isItsUser() {
        context.setParameter(
                "accessToken", tokens.issue(PluginParts.login("ada", HASH)).orElseThrow());

        assertThat(name(decisions.identify(context))).isEqualTo("ada");
    }

    @Test
    void nothingShown_isRefused() {
        assertThat(decisions.identify(context).status()).isEqualTo(401);
    }

    /** For example a request with an API key, in a flood of passwords. */
    @Test
    void requestWithoutAPassword_isDecidedWhileEachSlotForPasswordsIsTaken() {
        NacosLogins flooded = new NacosLogins(
                parts.chain,
                tokens,
                new OtherTokens(parts.chain, tokens.revoked(), InstantSource.system()),
                roles,
                parts.settings.sources().rules(),
                new RequestThreads(0, () -> false, name -> false));

        assertThat(flooded.byPassword(null, null)).isEmpty();
        assertThat(flooded.byPassword("ada", null)).isEmpty();
        assertThat(flooded.byPassword(null, "right")).isEmpty();
        assertThat(flooded.byPassword(" ", "right")).isEmpty();
        assertThat(flooded.byPassword("ada", " ")).isEmpty();
        assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(() -> flooded.byPassword("ada", "right"));
    }

    @Test
    void outageOverGrpc_isAnErrorOfItsOwn() {
        users.isDown = true;
        context.setParameter("username", "ada");
        context.setParameter("password", "right");

        assertThatExceptionOfType(NacosRuntimeException.class)
                .isThrownBy(() -> decisions.identify(context))
                .satisfies(e -> assertThat(e.getErrCode()).isEqualTo(NacosException.SERVER_ERROR))
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("no database"));
    }

    @Test
    void outageOverHttp_isAFailure_whichTheFilterAnswersWith503() throws Exception {
        users.isDown = true;
        context.setParameter("username", "ada");
        context.setParameter("password", "right");

        MockHttpServletResponse response = overHttp(() -> decisions.identify(context));
        assertThat(response.getStatus()).isEqualTo(503);
        assertThat(response.getHeader("Retry-After")).isEqualTo("1");
    }

    @Test
    void wrongPasswordOverHttp_isLeftToTheServersStatus_andTheSixthIs429() throws Exception {
        context.setParameter("username", "ada");
        for (int i = 0; i < 5; i++) {
            context.setParameter("password", "guess" + i);
            assertThat(overHttp(() -> decisions.identify(context)).getStatus()).isEqualTo(403);
        }
        context.setParameter("password", "right");
        MockHttpServletResponse response = overHttp(() -> decisions.identify(context));

        assertThat(response.getStatus()).isEqualTo(429);
        assertThat(Long.parseLong(response.getHeader("Retry-After"))).isPositive();
    }

    @Test
    void tokenInTheHeader_countsBeforeWhatTheServerHasReadFromTheUrl() throws Exception {
        users.with("eve", HASH);
        context.setParameter(
                "accessToken", tokens.issue(PluginParts.login("ada", HASH)).orElseThrow());
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.addHeader(
                "Authorization",
                "Bearer " + tokens.issue(PluginParts.login("eve", HASH)).orElseThrow());
        CurrentCall call = CurrentCall.of(request, TrustedProxies.none());

        assertThat(name(call.within(() -> decisions.identify(context)))).isEqualTo("eve");
    }

    @Test
    void rolesThatCannotBeRead_areAnOutageAndNeverAllow() throws Exception {
        roles.isDown = true;
        NacosUser user = new NacosUser("ada");

        assertThat(overHttp(() -> decisions.authorize(Optional.of(user), READ)).getStatus())
                .isEqualTo(503);
        assertThatExceptionOfType(NacosRuntimeException.class)
                .isThrownBy(() -> decisions.authorize(Optional.of(user), READ));
        assertThat(decisions.isFirstAdminMissing()).isFalse();
    }

    @Test
    void firstAdministrator_isMissingUntilThereIsOne() {
        assertThat(decisions.isFirstAdminMissing()).isTrue();
        roles.administrators.add("ada");
        assertThat(decisions.isFirstAdminMissing()).isFalse();
    }

    /** The server's own controllers ask the manager. */
    @Test
    void manager_refusesWithAnException() {
        LatchkeyAuthenticationManager manager = new LatchkeyAuthenticationManager(logins, roles);

        assertThatExceptionOfType(AccessException.class).isThrownBy(() -> manager.authenticate("ada", "wrong"));
        assertThatExceptionOfType(AccessException.class).isThrownBy(() -> manager.authenticate("no token"));
        assertThatExceptionOfType(AccessException.class)
                .isThrownBy(() -> manager.authorize(READ, new NacosUser("ada")));
    }

    @Test
    void permission_isTheServersAnswer_andAdministratorsNeedNone() {
        NacosUser user = logins.byPassword("ada", "right").orElseThrow();
        assertThat(decisions.authorize(Optional.of(user), READ).status()).isEqualTo(403);

        roles.administrators.add("ada");
        NacosUser administrator = logins.byPassword("ada", "right").orElseThrow();
        assertThat(decisions.authorize(Optional.of(administrator), READ).user()).isSameAs(administrator);
    }

    @Test
    void nobody_mayNothing() {
        roles.allowsAll = true;

        assertThat(decisions.authorize(Optional.empty(), READ).status()).isEqualTo(403);
    }

    @Test
    void user_printsNoToken() {
        String token = tokens.issue(PluginParts.login("ada", HASH)).orElseThrow();

        assertThat(logins.byToken(token).orElseThrow().toString())
                .contains("ada")
                .doesNotContain(token);
    }

    /** As the server's filter does it: every failure is 403. */
    private MockHttpServletResponse overHttp(Supplier<RequestDecisions.Answer> decision) throws Exception {
        MockHttpServletResponse response = new MockHttpServletResponse();
        new CallFilter(
                        TrustedProxies.none(),
                        new HeldRefusals(Duration.ZERO, 0, parts.time),
                        new LoginRush(1, () -> 0, name -> false, System::nanoTime))
                .doFilter(new MockHttpServletRequest(), response, new MockFilterChain() {
                    @Override
                    public void doFilter(ServletRequest request, ServletResponse answer) throws IOException {
                        assertThat(decision.get().user()).isNull();
                        ((HttpServletResponse) answer).sendError(403, "by the server");
                    }
                });
        return response;
    }

    private static String name(RequestDecisions.Answer answer) {
        assertThat(answer.user()).isNotNull();
        return answer.user().getUserName();
    }
}
