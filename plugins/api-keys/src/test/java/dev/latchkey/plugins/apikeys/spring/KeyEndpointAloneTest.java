package dev.latchkey.plugins.apikeys.spring;

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
import dev.latchkey.plugins.apikeys.ApiKey;
import dev.latchkey.plugins.apikeys.ApiKeySettings;
import dev.latchkey.plugins.apikeys.ApiKeys;
import dev.latchkey.plugins.apikeys.ApiKeysPlugin;
import dev.latchkey.plugins.apikeys.KeyDigests;
import dev.latchkey.plugins.apikeys.OwnApiKeys;
import dev.latchkey.plugins.apikeys.store.InMemoryApiKeyStore;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.http.ResponseEntity;

/** The endpoint and its filters without a service around them. */
class KeyEndpointAloneTest {

    private static final JsonBody BODY =
            () -> new ByteArrayInputStream("{\"name\":\"ci\",\"password\":\"right\"}".getBytes(StandardCharsets.UTF_8));

    private final InMemoryApiKeyStore store = new InMemoryApiKeyStore();
    private final ApiKeys keys = ApiKeys.of(
            store,
            KeyDigests.of(Secret.of(new byte[32])),
            ApiKeySettings.defaults(),
            (plugin, account) -> Optional.empty());
    private final AuthChain chain = AuthChain.of(new OfTenants(), ApiKeysPlugin.of(keys));

    private KeyEndpoint endpoint(Callers callers, String tenantHeader) {
        return new KeyEndpoint(
                callers, new OwnApiKeys(chain, keys), 365, tenantHeader, OutageLog.ofStores(InstantSource.system()));
    }

    /** Somebody else than Latchkey authenticated such a caller. */
    @Test
    void callerWithoutAnAccountHere_isToldToLogIn() {
        KeyEndpoint endpoint = endpoint(user -> Optional.empty(), "");
        for (ResponseEntity<Object> answer : List.of(
                endpoint.list(null),
                endpoint.issue(null, BODY, name -> List.of("emea")),
                endpoint.rotate(null, "1", BODY, name -> List.of("emea")),
                endpoint.rename(null, "1", BODY),
                endpoint.revoke(null, "1"))) {
            assertThat(answer.getStatusCode().value()).isEqualTo(401);
            assertThat(answer.getHeaders().getCacheControl()).isEqualTo("no-store");
            assertThat(String.valueOf(answer.getBody())).contains("Log in first");
        }
    }

    @Test
    void passwordIsThatOfTheTenant() {
        KeyEndpoint endpoint = endpoint(user -> Optional.of(Subject.of("ada")), "X-Tenant");
        for (List<String> wrong : List.of(List.<String>of(), List.of("emea", "emea"), List.of("apac"), List.of("\n"))) {
            assertThat(endpoint.issue(() -> "ada", BODY, name -> wrong)
                            .getStatusCode()
                            .value())
                    .as("%s", wrong)
                    .isEqualTo(403);
        }
        assertThat(endpoint.issue(() -> "ada", BODY, name -> List.of("emea"))
                        .getStatusCode()
                        .value())
                .isEqualTo(201);
        String id = keys.list("ada").get(0).id();
        assertThat(endpoint.rotate(() -> "ada", id, BODY, name -> List.of())
                        .getStatusCode()
                        .value())
                .isEqualTo(403);
        assertThat(endpoint.rotate(() -> "ada", id, BODY, name -> List.of("emea"))
                        .getStatusCode()
                        .value())
                .isEqualTo(200);
    }

    @Test
    void fieldOfTheTenant_isNone_whereTheServiceNamesNone() {
        assertThat(endpoint(user -> Optional.of(Subject.of("ada")), "")
                        .issue(() -> "ada", BODY, name -> List.of("emea"))
                        .getStatusCode()
                        .value())
                .isEqualTo(403);
    }

    @Test
    void keyThatWasUsed_isShownWithTheTime() {
        endpoint(user -> Optional.of(Subject.of("ada")), "X-Tenant").issue(() -> "ada", BODY, name -> List.of("emea"));
        ApiKey unused = keys.list("ada").get(0);
        assertThat(KeyAnswer.shown(unused))
                .containsOnlyKeys("id", "name", "scopes", "created_at", "expires_at")
                .containsEntry("created_at", unused.created().toString())
                .containsEntry("expires_at", unused.expires().orElseThrow().toString());
        Instant later = unused.created().plusSeconds(1);
        store.used(unused.id(), later, unused.created());
        assertThat(KeyAnswer.shown(keys.list("ada").get(0))).containsEntry("last_used_at", later.toString());
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
        public Decision authenticate(PasswordCredentials credentials, RequestContext context) {
            return credentials.password().matches(Secret.of("right"))
                            && context.tenant().equals(Optional.of("emea"))
                    ? Authenticated.as(Subject.of("ada"))
                    : Rejected.because(RejectionReason.BAD_CREDENTIALS);
        }
    }
}
