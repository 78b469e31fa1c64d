package dev.latchkey.plugins.passkeys.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.Callers;
import dev.latchkey.auth.engine.JsonBody;
import dev.latchkey.auth.engine.OutageLog;
import dev.latchkey.plugins.passkeys.OwnPasskeys;
import dev.latchkey.plugins.passkeys.Passkeys;
import dev.latchkey.plugins.passkeys.PasskeysPlugin;
import dev.latchkey.plugins.passkeys.RelyingParty;
import dev.latchkey.plugins.passkeys.store.InMemoryPasskeyStore;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.http.ResponseEntity;
import org.springframework.mock.env.MockEnvironment;

/** The endpoint without a service around it. */
class EndpointAloneTest {

    private static final JsonBody ADA = body("{\"username\":\"ada@example.org\",\"password\":\"right\"}");

    private static final JsonBody NOTHING = body("{}");

    private final Passkeys passkeys =
            Passkeys.of(new InMemoryPasskeyStore(), RelyingParty.of("example.com", "Example"), Secret.of(new byte[32]));
    private final AuthChain chain =
            AuthChain.of(new OfTenants(), new PasskeysPlugin(passkeys, (plugin, account) -> Optional.empty()));

    private static JsonBody body(String json) {
        return () -> new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8));
    }

    private PasskeysEndpoint endpoint(Callers callers) {
        return new PasskeysEndpoint(
                callers,
                passkeys,
                new OwnPasskeys(chain, passkeys),
                new MockEnvironment().withProperty("latchkey.tenant-header", "X-Tenant"),
                new StaticListableBeanFactory().getBeanProvider(OutageLog.class));
    }

    /** Somebody else than Latchkey authenticated such a caller. */
    @Test
    void callerWithoutAnAccountHere_getsNothing() {
        PasskeysEndpoint endpoint = endpoint(user -> Optional.empty());
        for (ResponseEntity<?> answer : List.of(
                endpoint.proof(null),
                endpoint.begin(null, ADA, name -> List.of("emea")),
                endpoint.confirm(null, NOTHING, name -> List.of("emea")),
                endpoint.list(null),
                endpoint.remove(null, "1", ADA, name -> List.of("emea")))) {
            assertThat(answer.getStatusCode().value()).isEqualTo(401);
            assertThat(answer.getBody()).isNull();
        }
    }

    @Test
    void passwordIsThatOfTheTenant_andTheAnswerIsKeptNowhere() {
        PasskeysEndpoint endpoint = endpoint(user -> Optional.of(Subject.of("ada")));
        for (List<String> wrong : List.of(List.<String>of(), List.of("emea", "emea"), List.of("apac"), List.of("\n"))) {
            assertThat(endpoint.begin(() -> "ada", ADA, name -> wrong)
                            .getStatusCode()
                            .value())
                    .as("%s", wrong)
                    .isEqualTo(403);
        }
        ResponseEntity<?> begun = endpoint.begin(() -> "ada", ADA, name -> List.of("emea"));
        assertThat(begun.getStatusCode().value()).isEqualTo(200);
        assertThat(begun.getHeaders().getCacheControl()).isEqualTo("no-store");
    }

    @Test
    void requestWithoutItsFields_registersAndRemovesNothing() {
        PasskeysEndpoint endpoint = endpoint(user -> Optional.of(Subject.of("ada")));
        assertThat(endpoint.proof(() -> "ada").getStatusCode().value()).isEqualTo(404);
        assertThat(endpoint.confirm(() -> "ada", NOTHING, name -> List.of("emea"))
                        .getStatusCode()
                        .value())
                .isEqualTo(403);
        assertThat(endpoint.remove(() -> "ada", "1", ADA, name -> List.of("emea"))
                        .getStatusCode()
                        .value())
                .isEqualTo(403);
        assertThat(endpoint.list(() -> "ada").getBody()).isEqualTo(Map.of("passkeys", List.of()));
    }

    /** Knows one account, in one tenant. */
    private static final class OfTenants implements LoginSource<PasswordCredentials> {

        @Override
        public String name() {
            return "tenants";
        }

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public boolean hasStoredNames() {
            return true;
        }

        @Override
        public Decision authenticate(PasswordCredentials credentials, RequestContext context) {
            return credentials.username().equals("ada@example.org")
                            && credentials.password().matches(Secret.of("right"))
                            && context.tenant().equals(Optional.of("emea"))
                    ? Authenticated.as(Subject.of("ada"))
                    : Rejected.because(RejectionReason.BAD_CREDENTIALS);
        }
    }
}
